import { describe, expect, it } from '@jest/globals';
import {
  accept,
  confirmed,
  deadlineMissed,
  doubleSpent,
  dropped,
  expired,
  freeze,
  giveBack,
  guards,
  history,
  issue,
  kyt,
  minute,
  ofac,
  refundBroadcast,
  refundDropped,
  reorged,
  review,
  seen,
  settled,
} from '#deposits/testing';
import { namesOf, type Steps, webhooksOfHistory } from '../testing/told.ts';

/** What the last step of a history brings about. */
const dueAfter = async (...steps: Steps): Promise<readonly string[]> => {
  const before = namesOf(await webhooksOfHistory(history(...steps.slice(0, -1))));
  return namesOf(await webhooksOfHistory(history(...steps))).slice(before.length);
};

const screened: Steps = [issue(), seen(), ofac('clear'), kyt('passed'), confirmed()];

describe('due is', () => {
  it.each<[string, Steps, readonly string[]]>([
    ['the pending transaction when a quote is issued', [issue()], ['transaction.pending']],
    ['nothing when it gets its address', [issue(), { type: 'AssignAddress', now: minute(1), address: 'ltc1' }], []],
    ['the payment and the status it leads to', [issue(), seen()], ['deposit.received', 'transaction.succeed']],
    ['the payment of too little', [issue(), seen({ amount: '1' })], ['deposit.received', 'transaction.underpaid']],
    ['the payment of too much', [issue(), seen({ amount: '3' })], ['deposit.received', 'transaction.overpaid']],
    [
      'every payment that counts, also where the status stays',
      [issue(), seen({ amount: '0.5' }), seen({ txid: 'tx-b', amount: '0.5' })],
      ['deposit.received'],
    ],
    ['nothing for a payment that does not count', [...screened, accept(), seen({ txid: 'tx-b' })], []],
    ['the time-out', [issue(), expired()], ['transaction.timedout']],
    ['the status after a drop', [issue(), seen(), dropped()], ['transaction.pending']],
    ['the confirmation, by both names', [issue(), seen(), confirmed()], ['deposit.confirmed', 'transaction.confirmed']],
    [
      'the confirmation that KYT holds, by the same names',
      [issue(), seen(), kyt('review'), confirmed()],
      ['deposit.confirmed', 'transaction.confirmed'],
    ],
    [
      'the hold of a confirmed deposit, which is no second confirmation',
      [issue(), seen(), confirmed(), kyt('review')],
      ['kyt_complete', 'transaction.confirmed'],
    ],
    [
      "an operator's approval",
      [issue(), seen(), confirmed(), kyt('review'), review('passed')],
      ['kyt_complete', 'transaction.confirmed'],
    ],
    ["an operator's refusal", [issue(), seen(), kyt('review'), review('failed')], ['kyt_complete']],
    [
      'the confirmation after a reorg once more',
      [issue(), seen(), confirmed(), reorged(), confirmed()],
      ['deposit.confirmed', 'transaction.confirmed'],
    ],
    ['the KYT result', [issue(), seen(), kyt('passed')], ['kyt_complete']],
    [
      'nothing of a KYT result that says no more than whose senders nobody can name',
      [issue(), seen(), kyt('review'), kyt('review', { unknownSendersOf: 'tx-a' })],
      [],
    ],
    ['the OFAC result', [issue(), seen(), ofac('clear')], ['ofac_complete']],
    ['a hit, which freezes without deposit.frozen', [issue(), seen(), ofac('hit')], ['ofac_complete']],
    ['a KYT failure, which freezes without deposit.frozen', [issue(), seen(), kyt('failed')], ['kyt_complete']],
    ['the missed deadline', [issue(), seen(), deadlineMissed()], ['ofac_complete']],
    [
      'no result when a new address sets screening back to pending',
      [
        issue(),
        seen({ amount: '1' }),
        ofac('clear'),
        kyt('passed'),
        seen({ txid: 'b', amount: '1', fundingAddresses: ['x'] }),
      ],
      ['deposit.received', 'transaction.succeed'],
    ],
    ['nothing when the guards have spoken', [issue({ noConf: true }), seen(), guards(true)], []],
    [
      'the alarm of a double-spend, and the status it leaves',
      [issue({ noConf: true }), seen(), doubleSpent()],
      ['transaction.pending', 'double_spend_alert'],
    ],
    [
      'the alarm of each of two double-spends of the same moment',
      [
        ...[issue({ noConf: true }), seen({ amount: '1' }), seen({ txid: 'tx-b', amount: '1' })],
        ...[doubleSpent(), doubleSpent({ txid: 'tx-b', replacedBy: 'tx-thief-b' })],
      ],
      ['transaction.pending', 'double_spend_alert'],
    ],
    [
      'the alarm of each of two payments that one transaction took at the same moment',
      [
        ...[issue({ noConf: true }), seen({ amount: '1' }), seen({ txid: 'tx-b', amount: '1' })],
        ...[doubleSpent(), doubleSpent({ txid: 'tx-b' })],
      ],
      ['transaction.pending', 'double_spend_alert'],
    ],
    [
      'no second alarm of one payment, by whatever it is replaced later on',
      [issue({ noConf: true }), seen(), doubleSpent(), doubleSpent({ replacedBy: 'tx-thief-b' })],
      [],
    ],
    ['no alarm when the deposit is not fast', [issue(), seen(), doubleSpent()], ['transaction.pending']],
    ['the acceptance', [...screened, accept()], ['deposit.accepted']],
    ['the return, at once', [...screened, giveBack()], ['deposit.returned']],
    ['the broadcast of the return', [...screened, giveBack(), refundBroadcast()], ['transaction.refund']],
    [
      'the second broadcast, in another transaction',
      [...screened, giveBack(), refundBroadcast(), refundDropped(), refundBroadcast({ refundTxid: 'refund-b' })],
      ['transaction.refund'],
    ],
    ['the freeze by the partner', [...screened, freeze()], ['deposit.frozen']],
    ['the settlement', [...screened, accept(), settled('batch-1')], ['transaction.settled']],
  ])('%s', async (_, steps, expected) => {
    expect([...(await dueAfter(...steps))].sort()).toEqual([...expected].sort());
  });
});
