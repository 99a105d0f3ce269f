import { describe, it } from '@jest/globals';
import {
  accept,
  adjusted,
  confirmed,
  doubleSpent,
  dropped,
  giveBack,
  guards,
  issue,
  kyt,
  minute,
  money,
  ofac,
  reorged,
  seen,
} from '../testing/commands.ts';
import { given } from '../testing/given.ts';

const noConf = issue({ noConf: true });
const instant = issue({ instant: true });
const second = { txid: 'tx-b' };
const late = { at: minute(31) };

describe('fast deposits, row by row', () => {
  it('instant implies no_conf', () => {
    given().when(instant).thenShows({ instant: true, no_conf: true, no_conf_state: null });
  });

  it('no_conf_state | null → pending_guards when the payment is seen', () => {
    given(noConf).when(seen()).thenShows({ no_conf_state: 'pending_guards' });
    given(issue()).when(seen()).thenShows({ no_conf_state: null });
  });

  it('no_conf_state | pending_guards → eligible when every guard passes, else fell_back', () => {
    given(noConf, seen()).when(guards(true)).thenShows({ no_conf_state: 'eligible' });
    given(noConf, seen()).when(guards(false)).thenShows({ no_conf_state: 'fell_back' });
  });

  it('a replaceable payment: fell_back at once, and guards that pass do not help', () => {
    given(noConf)
      .when(seen({ replaceable: true }))
      .thenShows({ no_conf_state: 'fell_back' });
    given(noConf, seen({ replaceable: true }))
      .when(guards(true))
      .thenIgnored();
    given(noConf, seen(), guards(true))
      .when(seen({ ...second, replaceable: true }))
      .thenShows({ no_conf_state: 'fell_back' });
  });

  it('a payment that is told to be replaceable only later falls back then, and is no second payment', () => {
    const told = seen({ replaceable: true, signalId: 'told-later' });
    for (const past of [
      [noConf, seen()],
      [noConf, seen(), guards(true)],
      [noConf, seen(), dropped()],
    ])
      given(...past)
        .when(told)
        .thenShows({ no_conf_state: 'fell_back', acceptable: false });
    given(noConf, seen(), guards(true))
      .when(told)
      .thenEvents({ type: 'PaymentSeen', data: { counts: false } });
    given(noConf, seen(), told).when(guards(true)).thenIgnored();
    given(noConf, seen(), told)
      .when(seen({ replaceable: true, signalId: 'again' }))
      .thenIgnored();
    given(noConf, seen(), confirmed()).when(told).thenIgnored();
    given(issue(), seen()).when(told).thenIgnored();
    given(noConf, seen(), guards(true), seen({ ...second, ...late }))
      .when(seen({ ...second, ...late, replaceable: true, signalId: 'told-later' }))
      .thenEvents({ type: 'PaymentSeen', data: { alerts: [] } });
  });

  it('another payment before confirmation: eligible → pending_guards; fell_back stays', () => {
    given(noConf, seen(), guards(true)).when(seen(second)).thenShows({ no_conf_state: 'pending_guards' });
    given(noConf, seen(), guards(false)).when(seen(second)).thenShows({ no_conf_state: 'fell_back' });
  });

  it('a payment that comes to count only now has to pass the guards too', () => {
    given(noConf, seen(), guards(true), seen({ ...second, ...late }))
      .when(dropped())
      .thenShows({ no_conf_state: 'pending_guards', late_payment: true });
  });

  it('guards.completed after a confirmation is ignored, and a confirmation leaves no_conf_state as it was', () => {
    given(noConf, seen()).when(confirmed()).thenShows({ no_conf_state: 'pending_guards' });
    given(noConf, seen(), guards(true)).when(confirmed()).thenShows({ no_conf_state: 'eligible' });
    given(noConf, seen(), confirmed()).when(guards(true)).thenIgnored();
  });

  it('a payment that is confirmed after it was dropped needs no guards', () => {
    given(noConf, seen(), dropped()).when(confirmed()).thenShows({ status: 'Confirmed', no_conf_state: null });
  });

  it('guards.completed makes no sense for a standard deposit or without a payment', () => {
    given(issue(), seen()).when(guards(true)).thenRejected();
    given(noConf).when(guards(true)).thenRejected();
  });

  it('with no payment left no_conf_state is null again', () => {
    for (const judged of [guards(true), guards(false)])
      given(noConf, seen(), judged).when(dropped()).thenShows({ no_conf_state: null });
  });

  it.each([
    ['pending_guards', []],
    ['eligible', [guards(true)]],
    ['fell_back', [guards(false)]],
  ])('%s → double_spent when a payment is replaced before its first confirmation', (_, judged) => {
    given(noConf, seen(), ...judged)
      .when(doubleSpent({ at: minute(2) }))
      .thenShows({
        no_conf_state: 'double_spent',
        double_spent_at: minute(2),
        double_spend_txid: 'tx-thief',
        acceptable: false,
      });
  });

  it('a confirmation ends the race: no double_spent after it; a reorg is another matter', () => {
    given(noConf, seen(), confirmed()).when(doubleSpent()).thenRejected();
    given(noConf, seen(), confirmed(), reorged()).when(doubleSpent()).thenShows({ no_conf_state: 'double_spent' });
  });

  it('a payment beside a confirmed deposit takes no part in the race', () => {
    given(noConf, seen(), confirmed(), seen(second))
      .when(doubleSpent(second))
      .thenShows({ status: 'Confirmed', no_conf_state: 'pending_guards', double_spent_at: null });
  });

  it.each(['beside a confirmed one', 'late'] as const)(
    'a payment that never counted ends no race, dropped before or not: %s',
    (how) => {
      const isLate = how === 'late';
      const past = [noConf, seen(), guards(true), ...(isLate ? [] : [confirmed()])];
      const dust = { txid: 'tx-dust', at: minute(isLate ? 40 : 3) };
      for (const gone of [[], [dropped(dust)]])
        given(...past, seen({ ...dust, amount: '0.00001' }), ...gone)
          .when(doubleSpent(dust))
          .thenShows({ no_conf_state: 'eligible', double_spent_at: null });
    },
  );

  it('one that counted, was dropped and is replaced then ends it all the same', () => {
    given(noConf, seen(), guards(true), dropped()).when(doubleSpent()).thenShows({ no_conf_state: 'double_spent' });
  });

  it('no_conf_state stays double_spent whatever comes after', () => {
    const spent = [noConf, seen(), doubleSpent()];
    for (const next of [seen(), seen(second), confirmed()])
      given(...spent)
        .when(next)
        .thenShows({ no_conf_state: 'double_spent', acceptable: false });
    given(...spent, seen())
      .when(guards(true))
      .thenIgnored();
  });

  it('a double-spent deposit is never acceptable, not even confirmed and screened', () => {
    given(noConf, seen(), doubleSpent(), confirmed(), ofac('clear'))
      .when(kyt('passed'))
      .thenShows({ status: 'Confirmed', acceptable: false });
  });

  it('a reorg does not lift a double-spend', () => {
    given(noConf, seen(), doubleSpent(), confirmed()).when(reorged()).thenShows({ no_conf_state: 'double_spent' });
  });

  it('double-spent after an accept: the decision stays and the alert is given all the same', () => {
    const after = given(noConf, seen(), guards(true), ofac('clear'), kyt('passed'), accept()).when(doubleSpent());
    after.thenShows({ decision: 'accepted', no_conf_state: 'double_spent', double_spend_txid: 'tx-thief' });
    after.thenEvents({ data: { alerts: ['double_spent_after_accept'] } });
  });

  it('a standard deposit shows no double-spend', () => {
    given(issue(), seen()).when(doubleSpent()).thenShows({ status: 'Pending', double_spend_txid: null });
  });

  it('a fast deposit cannot be returned before confirmation', () => {
    given(noConf, seen(), guards(true), ofac('clear'), kyt('passed'))
      .when(giveBack())
      .thenRefused('not_confirmed', { status: 'Succeed' });
  });

  it('instant downgrade: received above the ceiling at the market rate of the quote, for good', () => {
    given(instant)
      .when(seen({ amount: '12' }))
      .thenShows({ instant_downgraded: false, instant_received_max_usd: 600 });
    given(instant)
      .when(seen({ amount: '12.00000001' }))
      .thenShows({ instant_downgraded: true });
    given(instant, seen(), seen({ ...second, amount: '11' }))
      .when(dropped(second))
      .thenShows({ instant_downgraded: true });
    given(issue({ instant: true, returningPlayer: true }))
      .when(seen({ amount: '30' }))
      .thenShows({ instant_downgraded: false, instant_received_max_usd: 1600 });
  });

  it('instant downgrade of a late deposit: at the current rate', () => {
    given(instant)
      .when(seen({ ...late, amount: '2', currentRate: money('301') }))
      .thenShows({ instant_downgraded: true });
    given(instant)
      .when(seen({ ...late, currentRate: money('300') }))
      .thenShows({ instant_downgraded: false });
  });

  it('instant: accepted before KYT and before confirmation, while within the ceiling', () => {
    const ready = [instant, seen(), guards(true)];
    given(...ready)
      .when(ofac('clear'))
      .thenShows({ acceptable: true, kyt_status: 'pending' });
    given(...ready, ofac('clear'))
      .when(accept())
      .thenShows({ decision: 'accepted' });
  });

  it('instant over the ceiling: instant_received_over_cap while KYT is unfinished, downgraded or not', () => {
    const over = [instant, seen({ amount: '13' }), guards(true), ofac('clear')];
    given(...over)
      .when(adjusted())
      .thenRefused('instant_received_over_cap', { receivedUsd: '650', instantReceivedMaxUsd: '600' });
    given(...over, kyt('passed'))
      .when(adjusted())
      .thenShows({ decision: 'accepted' });
    given(...over, kyt('review'))
      .when(adjusted())
      .thenRefused('kyt_not_passed', { kytStatus: 'review' });
  });

  it('downgraded and within the ceiling again: no longer instant, it waits for KYT', () => {
    given(instant, seen(), seen({ ...second, amount: '11' }), dropped(second), guards(true), ofac('clear'))
      .when(accept())
      .thenRefused('kyt_not_passed', { kytStatus: 'pending' });
  });

  it('downgraded and within the ceiling again: not acceptable either', () => {
    given(instant, seen(), seen({ ...second, amount: '11' }), dropped(second), guards(true))
      .when(ofac('clear'))
      .thenShows({ confirmed_crypto: 2, instant_downgraded: true, acceptable: false });
  });

  it('a late instant accept values the ceiling at the current rate, although acceptable was true', () => {
    const past = [instant, seen({ ...late, currentRate: money('50') }), guards(true), ofac('clear')];
    given(...past.slice(0, -1))
      .when(ofac('clear'))
      .thenShows({ acceptable: true });
    given(...past)
      .when(adjusted({ currentRate: money('301') }))
      .thenRefused('instant_received_over_cap', { receivedUsd: '602' });
  });

  it('a late instant deposit that cannot be valued is not acceptable before KYT', () => {
    for (const currentRate of ['unavailable', money('0')] as const)
      given(instant, seen({ ...late, currentRate }), guards(true))
        .when(ofac('clear'))
        .thenShows({ instant_downgraded: false, acceptable: false });
  });

  it('behind another fast deposit in flight: fell_back at once, and acceptable when it is confirmed', () => {
    const behind = seen({ ...late, behindAnother: true });
    given(noConf).when(behind).thenShows({ no_conf_state: 'fell_back', late_payment: true });
    const screened = [noConf, behind, ofac('clear'), kyt('passed')];
    given(...screened)
      .when(adjusted({ currentRate: money('40') }))
      .thenRefused('not_eligible', { noConfState: 'fell_back' });
    given(...screened)
      .when(confirmed())
      .thenShows({ status: 'Confirmed', acceptable: true });
  });

  it('a late fast deposit may be accepted before confirmation when it is eligible, at the current rate', () => {
    given(noConf, seen(late), guards(true), ofac('clear'), kyt('passed'))
      .when(adjusted({ currentRate: money('40') }))
      .thenShows({ decision: 'accepted', player_amount: 80, market_rate: '40' });
  });
});
