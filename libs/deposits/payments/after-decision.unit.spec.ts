import { describe, expect, it } from '@jest/globals';
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
  ofac,
  refundBroadcast,
  refundDropped,
  reorged,
  seen,
} from '../testing/commands.ts';
import { fold, given, history } from '../testing/given.ts';

const second = { txid: 'tx-b' };
const screened = [ofac('clear'), kyt('passed')];
const settledDeposit = [issue(), seen(), confirmed(), ...screened];

describe('payment status after a decision', () => {
  it('Confirmed… | a queued return waits for the confirmation', () => {
    const returned = [...settledDeposit, giveBack(), reorged()];
    given(...returned)
      .when(refundBroadcast())
      .thenRejected();
    given(...returned, confirmed())
      .when(refundBroadcast())
      .thenShows({ status: 'Refund' });
  });

  it.each([
    ['reorged', []],
    ['double_spent', [doubleSpent()]],
    ['dropped', [dropped()]],
    ['unconfirmed', [dropped(), seen()]],
  ] as const)('Confirmed… | a return says what it waits for: %s', (because, then) => {
    const waiting = [...settledDeposit, giveBack(), reorged(), ...then];
    expect(fold(history(...waiting))).toMatchObject({ standing: { returnUnfundedBecause: because } });
    given(...waiting)
      .when(confirmed())
      .thenEvents({ data: { changes: { returnUnfundedBecause: null } } });
  });

  it('Confirmed… | a return says that one of two payments is gone, whatever the status', () => {
    const two = [issue(), seen({ amount: '1' }), seen({ amount: '1', ...second }), confirmed(), confirmed(second)];
    const gone = given(...two, ...screened, giveBack(), reorged()).when(dropped());
    gone.thenShows({ status: 'Confirmed' });
    gone.thenEvents({ data: { changes: { returnUnfundedBecause: 'dropped' } } });
  });

  it('any, decision returned | refund broadcast | Refund, which a dropped refund leaves', () => {
    const returned = [...settledDeposit, giveBack()];
    given(...returned)
      .when(refundBroadcast())
      .thenShows({ status: 'Refund', decision: 'returned', return_address: 'home' });
    const lost = given(...returned, refundBroadcast()).when(refundDropped());
    lost.thenShows({ status: 'Refund' });
    lost.thenEvents({ type: 'RefundDropped', data: { alerts: ['refund_dropped'] } });
    given(...returned, refundBroadcast(), refundDropped())
      .when(refundBroadcast({ refundTxid: 'refund-b' }))
      .thenShows({ status: 'Refund' });
    given(...returned, refundBroadcast())
      .when(reorged())
      .thenShows({ status: 'Refund' });
  });

  it('after a decision | a later payment is recorded, operators alerted, no money field changes', () => {
    const later = given(...settledDeposit, accept()).when(seen({ ...second, amount: '9' }));
    later.thenShows({ status: 'Confirmed', confirmed_crypto: 2, crypto_amount: 2, player_amount: 100 });
    later.thenEvents({ data: { counts: false, alerts: ['payment_after_decision'] } });
    given(...settledDeposit, accept(), seen(second))
      .when(confirmed(second))
      .thenShows({ confirmed_crypto: 2 });
  });

  const ahead = seen({ ...second, at: minute(6) });
  const senderTold = seen({ ...second, fundingAddresses: ['sender'] });

  it.each([
    ['seen with an at ahead of our clock', [ahead, accept()]],
    ['while what was decided on is in no block any more', [ahead, accept(), reorged()]],
    ['told again, with a sender', [ahead, accept(), senderTold]],
  ])('after a decision | one that waited at it is told of when it is confirmed: %s', (_, then) => {
    given(...settledDeposit, ...then)
      .when(confirmed(second))
      .thenEvents({ type: 'PaymentConfirmed', data: { alerts: ['payment_after_decision'] } });
  });

  it.each([
    ['was seen since, with an at before it', [accept(), seen({ ...second, at: minute(4) })]],
    ['waited at it, and was in a block before', [seen(second), accept(), confirmed(second), reorged(second)]],
    ['was gone at it and is back', [seen(second), dropped(second), accept(), seen(second)]],
  ])('after a decision | one is told of once that %s', (_, then) => {
    given(...settledDeposit, ...then)
      .when(confirmed(second))
      .thenEvents({ type: 'PaymentConfirmed', data: { alerts: [] } });
  });

  const acceptedFast = [issue({ noConf: true }), seen(), ...screened, guards(true), accept()];

  it.each([
    ['seen again after it was dropped', [...acceptedFast, dropped()], seen(), { counts: true }],
    ['confirmed after it was dropped', [...acceptedFast, dropped()], confirmed(), {}],
    ['confirmed after it was double-spent', [...acceptedFast, doubleSpent()], confirmed(), {}],
    ['seen again after a reorg and a drop', [...settledDeposit, giveBack(), reorged(), dropped()], seen(), {}],
  ])('after a decision | one that counted at it and is %s is no later payment', (_, past, signal, data) => {
    given(...past)
      .when(signal)
      .thenEvents({ data: { ...data, alerts: [] } });
  });

  it('after a decision | one that waited beside a confirmed deposit is told of when it is confirmed, once', () => {
    const waited = [...settledDeposit, seen({ ...second, amount: '9' }), accept()];
    const told = given(...waited).when(confirmed(second));
    told.thenShows({ confirmed_crypto: 2, player_amount: 100 });
    told.thenEvents({ type: 'PaymentConfirmed', data: { alerts: ['payment_after_decision'] } });
    given(...settledDeposit, accept(), seen({ ...second, at: minute(50) }))
      .when(confirmed(second))
      .thenEvents({ type: 'PaymentConfirmed', data: { alerts: [] } });
  });

  it('after a decision | status follows the payments that counted, measured against the quote', () => {
    const fast = [issue({ noConf: true }), seen({ amount: '1' }), ...screened];
    const accepted = [...fast, guards(true), adjusted()];
    given(...accepted)
      .when(confirmed())
      .thenShows({ status: 'Confirmed', crypto_amount: 1 });
    given(...accepted, confirmed())
      .when(reorged())
      .thenShows({ status: 'Underpaid', decision: 'accepted' });
    given(...accepted)
      .when(dropped())
      .thenShows({ status: 'Pending', confirmed_crypto: 1, decision: 'accepted' });
  });

  it('after a decision | a later payment does not move the status', () => {
    const accepted = [issue({ noConf: true }), seen(), ...screened, guards(true), accept(), seen(second)];
    given(...accepted)
      .when(dropped(second))
      .thenShows({ status: 'Succeed' });
    given(...accepted)
      .when(confirmed())
      .thenShows({ status: 'Confirmed', confirmed_crypto: 2 });
  });

  it('a refund that screening holds is rejected until an operator releases it', () => {
    const returned = [...settledDeposit, giveBack()];
    for (const alarm of [ofac('hit'), kyt('failed')]) {
      const held = given(...returned).when(alarm);
      held.thenShows({ decision: 'returned' });
      held.thenEvents({ data: { alerts: ['return_held'] } });
      given(...returned, alarm)
        .when(refundBroadcast())
        .thenRejected();
    }
  });
});
