import { describe, expect, it } from '@jest/globals';
import {
  accept,
  confirmed,
  deadlineMissed,
  dropped,
  freeze,
  giveBack,
  issue,
  kyt,
  minute,
  ofac,
  refundBroadcast,
  refundDropped,
  release,
  review,
  seen,
} from '../testing/commands.ts';
import { given, history } from '../testing/given.ts';

const paid = [issue(), seen({ fundingAddresses: ['a'] })];
const ready = [...paid, confirmed(), ofac('clear'), kyt('passed')];
const newAddress = () => seen({ txid: 'tx-b', at: minute(3), fundingAddresses: ['b'] });

describe('screening, row by row', () => {
  it('ofac_status is pending from creation, kyt_status null until the payment is seen', () => {
    given().when(issue()).thenShows({ ofac_status: 'pending', kyt_status: null, kyt_checked_at: null });
    given(issue()).when(seen()).thenShows({ ofac_status: 'pending', kyt_status: 'pending' });
  });

  it('screening starts when the payment is first seen, its deadline 60 s after that', () => {
    expect(
      given(issue())
        .when(seen({ at: minute(1) }))
        .after().standing.ofacDeadlineAt,
    ).toBe(minute(2));
  });

  it('at the deadline ofac_status becomes timed_out; a later answer still makes it clear or hit', () => {
    given(...paid)
      .when(deadlineMissed())
      .thenShows({ ofac_status: 'timed_out' });
    given(...paid, deadlineMissed())
      .when(ofac('clear'))
      .thenShows({ ofac_status: 'clear' });
    given(...paid, deadlineMissed())
      .when(ofac('hit'))
      .thenShows({ ofac_status: 'hit', decision: 'frozen' });
    given(...paid, ofac('clear'))
      .when(deadlineMissed())
      .thenIgnored();
  });

  it('kyt_status is what the provider says, with its score and the time of the signal', () => {
    given(...paid)
      .when(kyt('passed', { riskScore: '0.250', at: minute(4) }))
      .thenShows({ kyt_status: 'passed', kyt_risk_score: '0.25', kyt_checked_at: minute(4) });
  });

  it.each(['passed', 'failed'] as const)('review may become %s', (result) => {
    given(...paid, kyt('review'))
      .when(kyt(result))
      .thenShows({ kyt_status: result });
    given(...paid, kyt('review'))
      .when(review(result))
      .thenShows({ kyt_status: result });
  });

  it("failed is final, except by an operator's approval; the decision stays frozen", () => {
    given(...paid, kyt('failed'))
      .when(kyt('passed'))
      .thenIgnored();
    given(...paid, kyt('failed'))
      .when(review('passed'))
      .thenShows({ kyt_status: 'passed', decision: 'frozen' });
    given(...paid, kyt('failed'))
      .when(review('failed'))
      .thenRefused('kyt_not_reviewable', { kytStatus: 'failed' });
    given(...paid)
      .when(review('passed'))
      .thenRefused('kyt_not_reviewable', { kytStatus: 'pending' });
  });

  it('an approval of a review overrules no failure that came after it, and is one where that is named', () => {
    const failed = [...paid, kyt('review'), kyt('failed')];
    given(...failed)
      .when(review('passed', 'review'))
      .thenRefused('kyt_stands_otherwise', { kytStatus: 'failed', named: 'review' });
    given(...failed)
      .when(review('passed', 'failed'))
      .thenShows({ kyt_status: 'passed' });
    given(...paid, kyt('review'))
      .when(review('failed', 'review'))
      .thenShows({ kyt_status: 'failed' });
  });

  it('an answer that came after what was looked at is another, though its word be the same', () => {
    const first = [...paid, kyt('review', { riskScore: '30' })];
    const looked = first.length - 1;
    given(...first)
      .when(review('passed', 'review', looked))
      .thenShows({ kyt_status: 'passed' });
    given(...first, kyt('review', { riskScore: '95' }))
      .when(review('passed', 'review', looked))
      .thenRefused('kyt_came_up_since', { kytStatus: 'review' });
    given(...paid, kyt('failed'), review('passed'), kyt('failed', { riskScore: '95' }))
      .when(review('passed', 'failed', looked))
      .thenRefused('kyt_came_up_since', { kytStatus: 'failed' });
  });

  it.each([
    ['of another address', seen({ txid: 'tx-b', amount: '5', fundingAddresses: ['b'] })],
    ['of nobody that is named', seen({ txid: 'tx-b', amount: '5' })],
    ['of the address that was looked at', seen({ txid: 'tx-b', amount: '5', fundingAddresses: ['a'] })],
    ['of another address too, as is told later', seen({ fundingAddresses: ['b'] })],
  ])('money that came after what was looked at is let through by nobody who has not seen it: %s', (_, money) => {
    for (const word of ['review', 'failed'] as const) {
      const looked = [...paid, kyt(word)];
      given(...looked, money)
        .when(review('passed', word, looked.length - 1))
        .thenRefused('kyt_came_up_since', { kytStatus: word });
      given(...looked, money)
        .when(review('passed', word, looked.length))
        .thenShows({ kyt_status: 'passed' });
    }
  });

  it.each([
    ['is seen again', seen()],
    ['is confirmed', confirmed()],
  ])('money that was gone when it was looked at is let through by nobody who has not seen it: it %s', (_, back) => {
    const looked = [...paid, kyt('review'), dropped()];
    given(...looked, back)
      .when(review('passed', 'review', looked.length - 1))
      .thenRefused('kyt_came_up_since');
    given(...looked, back)
      .when(review('passed', 'review', looked.length))
      .thenShows({ kyt_status: 'passed' });
  });

  it('what moves none of the money between a look and its decision leaves the decision as it is', () => {
    const looked = [issue({ noConf: true }), seen({ fundingAddresses: ['a'] }), kyt('review')];
    for (const past of [[confirmed()], [dropped()], [seen({ replaceable: true })], [ofac('clear')]])
      given(...looked, ...past)
        .when(review('passed', 'review', looked.length - 1))
        .thenShows({ kyt_status: 'passed' });
  });

  it('money that comes while nothing is in review is for the provider, and the answer to it for whoever looks', () => {
    const looked = [...paid, kyt('review'), review('passed')];
    given(...looked, newAddress(), kyt('review'))
      .when(review('passed', 'review', looked.length))
      .thenRefused('kyt_came_up_since');
  });

  describe('a review of a payment whose senders nobody can name', () => {
    const unnamed = (txid = 'tx-a') => kyt('review', { riskScore: null, unknownSendersOf: txid });
    const held = [...paid, unnamed()];

    it('is ended by no answer about those that are named: it stays until an operator has looked', () => {
      for (const past of [held, [...held, kyt('review', { riskScore: '0.4' })], [...held, newAddress()]]) {
        const answered = given(...past).when(kyt('passed', { riskScore: '0.01' }));
        answered.thenIgnored();
        expect(answered.outcome).toMatchObject({ reason: expect.stringContaining('tx-a') });
        expect(answered.after().standing.kytStatus).toBe('review');
      }
      given(...held)
        .when(review('passed'))
        .thenShows({ kyt_status: 'passed' });
    });

    it('stays though the payment is gone: it may come back, and what was answered meanwhile was of others', () => {
      given(...held, dropped(), seen({ txid: 'tx-b', fundingAddresses: ['b'] }))
        .when(kyt('passed'))
        .thenIgnored();
    });

    it('becomes a failure by the provider as any other, and a later review is his to end', () => {
      given(...held)
        .when(kyt('failed'))
        .thenShows({ kyt_status: 'failed', decision: 'frozen' });
      for (const ended of [
        [...held, review('passed')],
        [...held, kyt('failed'), review('passed')],
        [...held, review('failed'), review('passed')],
      ])
        given(...ended, kyt('review'))
          .when(kyt('passed'))
          .thenShows({ kyt_status: 'passed' });
    });

    it("holds a provider's review too, and is new of each payment: whoever looked before has not seen that", () => {
      const own = [...paid, kyt('review', { riskScore: null })];
      const both = given(...own).when(unnamed());
      both.thenEvents({ type: 'KytCompleted', data: { unknownSendersOf: 'tx-a', changes: {} } });
      given(...own, unnamed())
        .when(kyt('passed'))
        .thenIgnored();
      given(...held)
        .when(unnamed())
        .thenIgnored();
      given(...held, unnamed('tx-b'))
        .when(review('passed', 'review', held.length - 1))
        .thenRefused('kyt_came_up_since');
    });

    it("leaves the provider's score as it is, which is that of the senders that are known", () => {
      const scored = [...paid, kyt('review', { riskScore: '0.97' })];
      const both = given(...scored).when(unnamed());
      both.thenEvents({ type: 'KytCompleted', data: { unknownSendersOf: 'tx-a', changes: {} } });
      both.thenShows({ kyt_status: 'review', kyt_risk_score: '0.97' });
      given(...scored, unnamed(), unnamed('tx-b'))
        .when(kyt('review', { riskScore: '0.5' }))
        .thenShows({ kyt_risk_score: '0.5' });
      given(...scored)
        .when(kyt('review', { riskScore: null }))
        .thenShows({ kyt_risk_score: null });
    });

    it('holds nothing any more that a release beside this one has answered, or has asked for anew', () => {
      const answered = history(...paid, kyt('review'), kyt('passed', { signalId: 'beside' })).slice(-1);
      const askedAnew = history(...ready, newAddress()).slice(-1);
      for (const beside of [[...answered, newAddress()], [...answered, kyt('review')], askedAnew])
        given(...held, ...beside)
          .when(kyt('passed', { riskScore: '0.01' }))
          .thenShows({ kyt_status: 'passed' });
    });

    it('is one where the answer is a review alone', () => {
      given(...held, review('passed'), kyt('review'), kyt('passed', { unknownSendersOf: 'tx-a' }), kyt('review'))
        .when(kyt('passed'))
        .thenShows({ kyt_status: 'passed' });
    });

    it('notes a hundred of them at most: one holds it as well as all', () => {
      const many = Array.from({ length: 100 }, (_, nth) => unnamed(`tx-${nth}`));
      given(...paid, ...many)
        .when(unnamed('one-more'))
        .thenIgnored();
    });
  });

  it('hit is final', () => {
    given(...paid, ofac('hit'))
      .when(ofac('clear'))
      .thenIgnored();
    given(...paid, ofac('hit'))
      .when(deadlineMissed())
      .thenIgnored();
  });

  it('a new funding address sets both statuses back to pending with a new deadline', () => {
    const again = given(...ready).when(newAddress());
    again.thenShows({ ofac_status: 'pending', kyt_status: 'pending', kyt_risk_score: null, acceptable: false });
    expect(again.after().standing.ofacDeadlineAt).toBe(minute(4));
    given(...ready)
      .when(seen({ txid: 'tx-b', fundingAddresses: ['a'] }))
      .thenShows({ kyt_status: 'passed' });
  });

  it('a new funding address: hit, failed and review stay', () => {
    given(...paid, kyt('review', { riskScore: '0.5' }))
      .when(newAddress())
      .thenShows({ ofac_status: 'pending', kyt_status: 'review', kyt_risk_score: '0.5' });
    given(issue(), seen(), kyt('review'), confirmed(), newAddress(), ofac('clear'))
      .when(accept())
      .thenRefused('kyt_not_passed');
    given(...paid, ofac('hit'))
      .when(newAddress())
      .thenShows({ ofac_status: 'hit', kyt_status: 'pending' });
    given(...paid, kyt('failed'))
      .when(newAddress())
      .thenShows({ ofac_status: 'pending', kyt_status: 'failed' });
  });

  it('the latest answer stands for the whole deposit', () => {
    given(...paid, kyt('passed'))
      .when(kyt('review'))
      .thenShows({ kyt_status: 'review' });
    given(...paid, ofac('clear'))
      .when(ofac('hit'))
      .thenShows({ ofac_status: 'hit' });
  });

  it('after a decision screening goes on and is reported; the decision stays', () => {
    const accepted = [...paid, confirmed(), deadlineMissed(), kyt('passed'), accept()];
    const hit = given(...accepted).when(ofac('hit'));
    hit.thenShows({ ofac_status: 'hit', decision: 'accepted' });
    hit.thenEvents({ type: 'OfacCompleted', data: { alerts: ['screening_alarm_after_decision'] } });
    given(...accepted)
      .when(kyt('failed'))
      .thenShows({ kyt_status: 'failed', decision: 'accepted' });
  });

  it('the same result again is ignored, another score is a changed result', () => {
    given(...paid, kyt('review'))
      .when(kyt('review'))
      .thenIgnored();
    given(...paid, kyt('review'))
      .when(kyt('review', { riskScore: '0.9' }))
      .thenShows({ kyt_risk_score: '0.9' });
    given(...paid, ofac('clear'))
      .when(ofac('clear'))
      .thenIgnored();
  });

  it.each([
    ['hit', ofac('hit')],
    ['failure', kyt('failed')],
  ])('a %s freezes a pending deposit at once: later decisions meet already decided', (_, alarm) => {
    given(...paid)
      .when(alarm)
      .thenShows({ decision: 'frozen', decision_at: minute(1), acceptable: false });
    for (const command of [accept(), giveBack(), freeze()])
      given(...paid, confirmed(), alarm)
        .when(command)
        .thenRefused('already_decided', { decision: 'frozen' });
  });

  it('a result before any payment was seen is rejected', () => {
    for (const signal of [kyt('passed'), ofac('clear'), deadlineMissed()]) given(issue()).when(signal).thenRejected();
    given(...paid)
      .when(kyt('passed', { riskScore: 'high' }))
      .thenRejected();
  });

  it.each([
    ['an OFAC hit', ofac('hit')],
    ['a KYT failure', kyt('failed')],
  ])('%s between a return and its broadcast holds it until operators release it', (_, alarm) => {
    const held = [...ready, giveBack(), alarm];
    given(...held)
      .when(refundBroadcast())
      .thenRejected();
    given(...held, release())
      .when(refundBroadcast())
      .thenShows({ status: 'Refund' });
    given(...held, release())
      .when(release())
      .thenRefused('return_not_held');
  });

  it('a return is released where all that holds it was named, and not where it is held for more', () => {
    const held = [...ready, giveBack(), kyt('failed')];
    given(...held)
      .when(release(['kyt_failed']))
      .thenEvents({ type: 'ReturnReleased' });
    given(...held, ofac('hit'))
      .when(release(['kyt_failed']))
      .thenRefused('return_held_for_more', { unnamed: ['ofac_hit'] });
    given(...ready, giveBack(), ofac('hit'), kyt('failed'))
      .when(release(['kyt_failed']))
      .thenRefused('return_held_for_more', { unnamed: ['ofac_hit'] });
    given(...held, ofac('hit'))
      .when(release(['ofac_hit', 'kyt_failed']))
      .thenEvents({ type: 'ReturnReleased' });
    given(...held, review('passed'))
      .when(release([]))
      .thenRefused('return_held_for_more', { unnamed: ['kyt_failed'] });
    given(...ready, giveBack(), ofac('hit'), release(), kyt('failed'))
      .when(release(['kyt_failed']))
      .thenEvents({ type: 'ReturnReleased' });
  });

  it('a return is released for the alarm that was looked at, and not for the same that was overruled and came up again', () => {
    const held = [...ready, giveBack(), kyt('failed')];
    const looked = held.length - 1;
    given(...held, seen({ txid: 'tx-b' }))
      .when(release(['kyt_failed'], looked))
      .thenEvents({ type: 'ReturnReleased' });
    given(...held, review('passed'), kyt('failed', { riskScore: '95' }))
      .when(release(['kyt_failed'], looked))
      .thenRefused('return_held_again', { again: ['kyt_failed'] });
    given(...held, ofac('hit'))
      .when(release(null, looked))
      .thenRefused('return_held_again', { again: ['ofac_hit'] });
  });

  it('an alarm while the refund is on its way holds it when it has to be sent again', () => {
    const sent = [...ready, giveBack(), refundBroadcast(), ofac('hit')];
    given(...sent, refundDropped())
      .when(refundBroadcast())
      .thenRejected();
    given(...sent, refundDropped(), release())
      .when(refundBroadcast())
      .thenShows({ status: 'Refund' });
  });

  it('a released alarm does not hold the same return twice', () => {
    given(...ready, giveBack(), kyt('failed'), ofac('hit'), release(), refundBroadcast(), refundDropped())
      .when(refundBroadcast({ refundTxid: 'another', signalId: 'sent-again' }))
      .thenEvents({ type: 'RefundBroadcast' });
    given(...ready, giveBack(), ofac('hit'), release(), refundBroadcast(), refundDropped())
      .when(refundBroadcast())
      .thenShows({ status: 'Refund' });
  });

  it('an alarm that was released, overruled and raised anew holds the return when it has to be sent again', () => {
    const sent = [...ready, giveBack(), kyt('failed'), release(), refundBroadcast(), review('passed'), kyt('failed')];
    given(...sent)
      .when(refundDropped())
      .thenEvents({ type: 'RefundDropped', data: { changes: { returnHeldBecause: 'kyt_failed' } } });
    given(...sent, refundDropped())
      .when(refundBroadcast({ refundTxid: 'another' }))
      .thenRejected();
    given(...sent, refundDropped(), release())
      .when(refundBroadcast({ refundTxid: 'another' }))
      .thenShows({ status: 'Refund' });
  });
});
