import { describe, it } from '@jest/globals';
import {
  accept,
  adjusted,
  confirmed,
  doubleSpent,
  dropped,
  expired,
  giveBack,
  issue,
  kyt,
  minute,
  money,
  ofac,
  reorged,
  review,
  seen,
} from '../testing/commands.ts';
import { given } from '../testing/given.ts';

const second = { txid: 'tx-b' };
const late = { at: minute(31) };
const screened = [ofac('clear'), kyt('passed')];
const settledDeposit = [issue(), seen(), confirmed(), ...screened];

describe('payment status, row by row', () => {
  it('(created) | quote issued | Pending', () => {
    given()
      .when(issue())
      .thenShows({ status: 'Pending', decision: 'pending', confirmed_crypto: null, ofac_status: 'pending' });
  });

  it.each([
    ['2', 'Succeed'],
    ['1.99999999', 'Underpaid'],
    ['2.00000001', 'Overpaid'],
    ['2.000000009', 'Succeed'],
    ['1.999999999999999999', 'Underpaid'],
  ])('Pending | timely payment of %s on a quote of 2 | %s', (amount, status) => {
    given(issue())
      .when(seen({ amount }))
      .thenShows({ status, confirmed_crypto: Number(amount), late_payment: undefined });
  });

  it('Pending | a payment seen at expires_at itself is timely', () => {
    given(issue())
      .when(seen({ at: minute(30) }))
      .thenShows({ status: 'Succeed', late_payment: undefined });
  });

  it.each([
    ['2', 'Succeed'],
    ['1', 'Underpaid'],
    ['3', 'Overpaid'],
  ])('Pending, Timedout | late payment of %s | %s, restored as a late deposit', (amount, status) => {
    given(issue())
      .when(seen({ ...late, amount }))
      .thenShows({ status, late_payment: true });
    given(issue(), expired())
      .when(seen({ ...late, amount }))
      .thenShows({ status, late_payment: true });
  });

  it('Timedout | timely payment whose signal came late | the quote is honoured', () => {
    given(issue(), expired())
      .when(seen({ at: minute(29) }))
      .thenShows({ status: 'Succeed', late_payment: undefined });
  });

  it('Succeed | another timely payment seen | recomputed from the new sum', () => {
    given(issue(), seen())
      .when(seen({ ...second, amount: '0.5' }))
      .thenShows({ status: 'Overpaid', confirmed_crypto: 2.5 });
    given(issue(), seen({ amount: '1' }))
      .when(seen({ vout: 1, amount: '1' }))
      .thenShows({ status: 'Succeed', confirmed_crypto: 2 });
  });

  it('Overpaid | one of two dropped or double-spent | recomputed from the new sum', () => {
    const two = [issue(), seen(), seen(second)];
    given(...two)
      .when(dropped(second))
      .thenShows({ status: 'Succeed', confirmed_crypto: 2 });
    given(...two)
      .when(doubleSpent(second))
      .thenShows({ status: 'Succeed', confirmed_crypto: 2, double_spent_at: null });
  });

  it('Succeed | the last one dropped | back to Pending, or Timedout past expiry, with nothing received', () => {
    const nothing = { confirmed_crypto: null, late_payment: undefined };
    given(issue(), seen())
      .when(dropped())
      .thenShows({ status: 'Pending', ...nothing });
    given(issue(), seen())
      .when(dropped({ at: minute(31) }))
      .thenShows({ status: 'Timedout', ...nothing });
    given(issue(), seen(late))
      .when(doubleSpent({ at: minute(32) }))
      .thenShows({ status: 'Timedout', ...nothing });
    given(issue(), expired(), seen())
      .when(dropped())
      .thenShows({ status: 'Timedout', ...nothing });
    given(issue(), seen(), dropped({ at: minute(31) }))
      .when(doubleSpent())
      .thenShows({ status: 'Timedout', ...nothing });
  });

  it('any | a late payment beside a timely one that counts | recorded, not counted, operators alerted', () => {
    const beside = given(issue(), seen()).when(seen({ ...second, ...late }));
    beside.thenShows({ status: 'Succeed', confirmed_crypto: 2, late_payment: undefined });
    beside.thenEvents({ type: 'PaymentSeen', data: { counts: false, alerts: ['late_payment_not_counted'] } });
  });

  it('any | more coins than there will ever be | recorded and counted, operators alerted', () => {
    const absurd = given(issue()).when(seen({ amount: '84000000.00000001' }));
    absurd.thenShows({ status: 'Overpaid' });
    absurd.thenEvents({ data: { counts: true, alerts: ['payment_beyond_supply'] } });
    given(issue())
      .when(seen({ amount: '84000000' }))
      .thenEvents({ data: { alerts: [] } });
  });

  it('any | a timely payment beside a late one that counted | the late one counts no more', () => {
    const beside = given(issue(), seen({ ...late, amount: '5' })).when(seen({ ...second, amount: '2' }));
    beside.thenShows({ status: 'Succeed', confirmed_crypto: 2, late_payment: undefined });
    beside.thenEvents({ data: { counts: true, alerts: ['late_payment_not_counted'] } });
  });

  it('any | a timely payment that was lost is confirmed beside a late one that counted | the late one counts no more', () => {
    const confirmedAfterAll = given(issue(), seen(), dropped(), seen({ ...second, ...late, amount: '5' })).when(
      confirmed({ at: minute(40) }),
    );
    confirmedAfterAll.thenShows({ status: 'Confirmed', confirmed_crypto: 2, late_payment: undefined });
    confirmedAfterAll.thenEvents({ type: 'PaymentConfirmed', data: { alerts: ['late_payment_not_counted'] } });
    given(issue(), seen(), seen({ ...second, ...late }))
      .when(confirmed({ ...second, at: minute(40) }))
      .thenEvents({ data: { alerts: [] } });
  });

  it('Confirmed late | a timely payment is confirmed, of which was heard late | the late one counts no more', () => {
    const heard = given(issue(), seen({ ...late, amount: '5' }), confirmed({ at: minute(40) }), seen({ ...second }));
    const ousted = heard.when(confirmed({ ...second, at: minute(50) }));
    ousted.thenShows({ status: 'Confirmed', confirmed_crypto: 2, late_payment: undefined });
    ousted.thenEvents({ type: 'PaymentConfirmed', data: { alerts: ['late_payment_not_counted'] } });
  });

  it('decided | a payment that was lost before is confirmed | recorded, operators alerted', () => {
    given(issue(), seen(), seen(second), dropped(second), ofac('clear'), kyt('passed'), confirmed(), accept())
      .when(confirmed(second))
      .thenEvents({ data: { alerts: ['payment_after_decision'] } });
  });

  it('any | no timely payment is left | late ones count and the deposit is late', () => {
    given(issue(), seen(), seen({ ...second, ...late, amount: '3' }))
      .when(dropped())
      .thenShows({ status: 'Overpaid', confirmed_crypto: 3, late_payment: true });
  });

  it('Succeed, Underpaid, Overpaid | every counted payment has a confirmation | Confirmed', () => {
    given(issue(), seen()).when(confirmed()).thenShows({ status: 'Confirmed', confirmed_crypto: 2 });
    given(issue(), seen(), seen(second)).when(confirmed()).thenShows({ status: 'Overpaid' });
    given(issue(), seen(), seen(second), confirmed()).when(confirmed(second)).thenShows({ status: 'Confirmed' });
    given(issue(), seen(), seen(second), confirmed())
      .when(dropped(second))
      .thenShows({ status: 'Confirmed', confirmed_crypto: 2 });
  });

  it('Succeed | confirmed while KYT stands at review or failed | ConfirmedKYTReview', () => {
    given(issue(), seen(), kyt('review')).when(confirmed()).thenShows({ status: 'ConfirmedKYTReview' });
    given(issue(), seen(), kyt('failed'))
      .when(confirmed())
      .thenShows({ status: 'ConfirmedKYTReview', decision: 'frozen' });
  });

  it('Confirmed | another timely payment seen | status and amount stay, screened if new, counts once confirmed', () => {
    const another = seen({ ...second, amount: '1', fundingAddresses: ['new'] });
    given(...settledDeposit)
      .when(another)
      .thenShows({
        status: 'Confirmed',
        confirmed_crypto: 2,
        kyt_status: 'pending',
        ofac_status: 'pending',
        acceptable: false,
      });
    given(...settledDeposit, another)
      .when(confirmed(second))
      .thenShows({ status: 'Confirmed', confirmed_crypto: 3 });
    given(...settledDeposit, seen({ ...second, amount: '1' }))
      .when(dropped(second))
      .thenShows({ confirmed_crypto: 2 });
  });

  it('Confirmed late deposit | a timely payment gets its confirmation | it alone counts, the deposit is ordinary', () => {
    given(issue(), seen({ ...late, amount: '5' }), confirmed(), seen(second))
      .when(confirmed(second))
      .thenShows({ status: 'Confirmed', confirmed_crypto: 2, late_payment: undefined });
  });

  it.each(['review', 'failed'] as const)('Confirmed | KYT becomes %s | ConfirmedKYTReview', (result) => {
    given(...settledDeposit)
      .when(kyt(result))
      .thenShows({ status: 'ConfirmedKYTReview', kyt_status: result });
  });

  it('ConfirmedKYTReview | KYT provider later says passed | stays, acceptable and not returnable', () => {
    const past = [issue(), seen(), confirmed(), ofac('clear'), kyt('review')];
    given(...past)
      .when(kyt('passed'))
      .thenShows({ status: 'ConfirmedKYTReview', kyt_status: 'passed', acceptable: true });
    given(...past, kyt('passed'))
      .when(giveBack())
      .thenRefused('not_confirmed', { status: 'ConfirmedKYTReview' });
    given(...past, kyt('passed'))
      .when(accept())
      .thenShows({ decision: 'accepted' });
  });

  it('ConfirmedKYTReview | an operator approves the review | ConfirmedApproved, KYT passed, not returnable', () => {
    const past = [issue(), seen(), confirmed(), ofac('clear'), kyt('review')];
    given(...past)
      .when(review('passed'))
      .thenShows({ status: 'ConfirmedApproved', kyt_status: 'passed', acceptable: true });
    given(...past, review('passed'))
      .when(giveBack())
      .thenRefused('not_confirmed', { status: 'ConfirmedApproved' });
  });

  it('ConfirmedApproved, ConfirmedKYTReview | another payment gets its confirmation | the status stays', () => {
    const held = [issue(), seen(), confirmed(), kyt('review')];
    given(...held, review('passed'), seen(second))
      .when(confirmed(second))
      .thenShows({ status: 'ConfirmedApproved' });
    given(...held, kyt('passed'), seen(second))
      .when(confirmed(second))
      .thenShows({ status: 'ConfirmedKYTReview' });
  });

  it('ConfirmedApproved | KYT becomes review again | ConfirmedKYTReview', () => {
    given(issue(), seen(), confirmed(), kyt('review'), review('passed'))
      .when(kyt('review'))
      .thenShows({ status: 'ConfirmedKYTReview', acceptable: false });
  });

  it('approved before confirmation | the next status is Confirmed', () => {
    given(issue(), seen(), kyt('review'), review('passed')).when(confirmed()).thenShows({ status: 'Confirmed' });
  });

  it('Confirmed… | the chain drops the block | recomputed as unconfirmed, decision unchanged, operators alerted', () => {
    const back = given(...settledDeposit).when(reorged());
    back.thenShows({ status: 'Succeed', decision: 'pending', acceptable: false });
    back.thenEvents({ type: 'PaymentReorged', data: { alerts: ['confirmation_reorged'] } });
    given(...settledDeposit, accept())
      .when(reorged())
      .thenShows({ status: 'Succeed', decision: 'accepted' });
    given(...settledDeposit, reorged())
      .when(confirmed())
      .thenShows({ status: 'Confirmed' });
  });

  it('Confirmed… | a fast deposit whose block is dropped fell back', () => {
    given(issue({ noConf: true }), seen(), confirmed())
      .when(reorged())
      .thenShows({ no_conf_state: 'fell_back' });
  });

  it('Pending | expiry passes with nothing seen | Timedout', () => {
    given(issue()).when(expired()).thenShows({ status: 'Timedout' });
  });

  it.each([
    ['dropped', dropped()],
    ['double-spent', doubleSpent()],
  ])('a payment seen again, or confirmed, after it was %s counts again', (_, lost) => {
    given(issue(), seen(), lost).when(seen()).thenShows({ status: 'Succeed', confirmed_crypto: 2 });
    given(issue(), seen(), lost).when(confirmed()).thenShows({ status: 'Confirmed', confirmed_crypto: 2 });
  });

  it('a payment keeps the time it was first seen', () => {
    given(issue(), seen(), dropped()).when(seen(late)).thenShows({ status: 'Succeed', late_payment: undefined });
  });

  it('a payment and what took its place never count both: one in a block keeps the other out until its reorg', () => {
    const replacement = { txid: 'tx-r' };
    const past = [issue(), seen(), doubleSpent({ replacedBy: 'tx-r' }), seen(replacement), confirmed(replacement)];
    given(...past)
      .when(confirmed())
      .thenRejected();
    given(...past)
      .when(seen({ signalId: 'again' }))
      .thenRejected();
    const twice = [
      ...past.slice(0, -1),
      seen({ signalId: 'back' }),
      doubleSpent({ replacedBy: 'tx-s', signalId: 'more' }),
    ];
    given(...twice, confirmed(replacement))
      .when(confirmed())
      .thenRejected();
    const back = [...past, reorged(replacement), confirmed()];
    given(...back)
      .when(confirmed({ ...replacement, signalId: 'again' }))
      .thenRejected();
    given(...back)
      .when(doubleSpent({ ...replacement, replacedBy: 'tx-a' }))
      .thenShows({ status: 'Confirmed', confirmed_crypto: 2 });
  });

  it('so do all that were told to have taken its place: a fee may be raised more than once', () => {
    const third = { txid: 'tx-s' };
    const again = given(issue({ noConf: true }), seen(), doubleSpent({ replacedBy: 'tx-r' })).when(
      doubleSpent({ replacedBy: 'tx-s', signalId: 'more' }),
    );
    again.thenShows({ no_conf_state: 'double_spent', double_spend_txid: 'tx-r' });
    again.thenEvents({ type: 'PaymentDoubleSpent', data: { replacedBy: 'tx-s', changes: {} } });
    given(
      ...[issue(), seen(), doubleSpent({ replacedBy: 'tx-r' }), doubleSpent({ replacedBy: 'tx-s', signalId: 'more' })],
      ...[seen(third), confirmed(third)],
    )
      .when(confirmed())
      .thenRejected();
  });

  it('what is of no such pair counts: outputs of one transaction, what one and the same replaced, the ends of three', () => {
    const half = { amount: '1' };
    const [first, other] = [{ txid: 'tx-r' }, { txid: 'tx-r', vout: 1 }];
    const outputs = [
      seen(half),
      doubleSpent({ replacedBy: 'tx-r' }),
      seen({ ...first, ...half }),
      seen({ ...other, ...half }),
    ];
    given(issue(), ...outputs, confirmed(first))
      .when(confirmed(other))
      .thenShows({ status: 'Confirmed', confirmed_crypto: 2 });
    const second = { txid: 'tx-b' };
    const both = [seen(half), seen({ ...second, ...half }), doubleSpent({ replacedBy: 'tx-r' })];
    given(issue(), ...both, doubleSpent({ ...second, replacedBy: 'tx-r' }), confirmed())
      .when(confirmed(second))
      .thenShows({ status: 'Confirmed', confirmed_crypto: 2 });
    const three = [
      seen(half),
      doubleSpent({ replacedBy: 'tx-r' }),
      seen(first),
      doubleSpent({ ...first, replacedBy: 'tx-s' }),
    ];
    given(issue(), ...three, seen({ txid: 'tx-s', ...half }), confirmed({ txid: 'tx-s' }))
      .when(confirmed())
      .thenShows({ status: 'Confirmed', confirmed_crypto: 2 });
  });

  it('no payment takes its own place, which would make rivals of two outputs of one transaction', () => {
    given(issue(), seen())
      .when(doubleSpent({ replacedBy: 'tx-a' }))
      .thenRejected();
  });

  it('a fast payment confirmed after a double-spend: accept stays refused, return follows its gates', () => {
    const past = [issue({ noConf: true }), seen(), doubleSpent(), confirmed(), ...screened];
    given(...past)
      .when(accept())
      .thenRefused('double_spent');
    given(...past)
      .when(giveBack())
      .thenShows({ decision: 'returned', no_conf_state: 'double_spent' });
  });

  it('late accept needs the market: the rate of the quote is no fallback', () => {
    const past = [issue(), seen(late), confirmed(), ...screened];
    given(...past)
      .when(adjusted({ currentRate: money('60') }))
      .thenShows({ decision: 'accepted', player_amount: 120 });
  });
});
