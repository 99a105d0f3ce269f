import { describe, expect, it } from '@jest/globals';
import type { DepositCommand } from '../floor/commands.ts';
import type { DepositEvent } from '../floor/events.ts';
import {
  accept,
  confirmed,
  deadlineMissed,
  doubleSpent,
  dropped,
  guards,
  issue,
  kyt,
  minute,
  ofac,
  releaseSettlement,
  reorged,
  review,
  seen,
  settled,
} from '../testing/commands.ts';
import { given, history } from '../testing/given.ts';

const fast = [issue({ noConf: true }), seen(), guards(true), deadlineMissed(), kyt('passed'), accept()];
const slow = [issue(), seen(), confirmed(), deadlineMissed(), kyt('passed'), accept()];

const both = [
  issue({ noConf: true }),
  seen({ amount: '1' }),
  seen({ amount: '1', txid: 'tx-b' }),
  guards(true),
  deadlineMissed(),
  kyt('passed'),
  accept(),
];
const lost = (txid: string) => doubleSpent({ txid });

/** As it was written while a release held for every later loss of the same kind. */
const asBefore = (event: DepositEvent): DepositEvent => {
  if (event.type !== 'PaymentDoubleSpent' || event.data.txid !== 'tx-b') return event;
  const { settlementWithheld: _, ...changes } = event.data.changes;
  return { ...event, data: { ...event.data, changes } };
};

const withheld = (past: readonly (DepositCommand | DepositEvent)[], command: DepositCommand) =>
  given(...past)
    .when(command)
    .after().standing.settlementWithheld;

describe('settlement of an accepted live deposit', () => {
  it.each([
    ['unconfirmed', fast.slice(0, -1), accept()],
    ['double_spent', fast, doubleSpent()],
    ['double_spent', [...slow, reorged()], doubleSpent()],
    ['dropped', fast, dropped()],
    ['dropped', [...slow, reorged()], dropped()],
    ['reorged', slow, reorged()],
    ['reorged', [...fast, confirmed()], reorged()],
    ['ofac_hit', slow, ofac('hit')],
    ['kyt_failed', slow, kyt('failed')],
    ['ofac_hit', fast, ofac('hit')],
  ] as const)('is withheld: %s', (reason, past, command) => {
    expect(withheld(past, command)).toBe(reason);
    given(...past, command)
      .when(settled('batch-1'))
      .thenRejected();
  });

  it('is withheld where one of several payments is gone', () => {
    const two = [
      issue({ noConf: true }),
      seen({ amount: '1' }),
      seen({ amount: '1', txid: 'tx-b' }),
      ...fast.slice(2),
      confirmed(),
    ];
    expect(withheld(two, doubleSpent({ txid: 'tx-b' }))).toBe('double_spent');
    expect(withheld(two, confirmed({ txid: 'tx-b' }))).toBeNull();
  });

  it('goes on when what spoke against it is over', () => {
    expect(withheld(fast, confirmed())).toBeNull();
    expect(withheld([...fast, doubleSpent()], confirmed())).toBeNull();
    expect(withheld([...slow, reorged()], confirmed())).toBeNull();
    expect(withheld([...slow, kyt('failed')], review('passed'))).toBeNull();
    given(...fast, confirmed())
      .when(settled('batch-1'))
      .thenShows({ status: 'Confirmed' });
  });

  it('withholds nothing of a deposit that is not settled anyway', () => {
    expect(withheld([issue({ noConf: true, test: true }), ...fast.slice(1)], doubleSpent())).toBeNull();
    expect(withheld(fast.slice(0, -1), doubleSpent())).toBeNull();
    expect(withheld([issue(), seen()], kyt('failed'))).toBeNull();
  });

  it('is let go by a release, for what was known at it', () => {
    const lost = [...fast, doubleSpent()];
    expect(withheld(lost, releaseSettlement())).toBe('released');
    given(...lost, releaseSettlement())
      .when(settled('batch-1'))
      .thenEvents({ type: 'SettlementIncluded' });
    expect(withheld([...lost, releaseSettlement()], ofac('hit'))).toBe('ofac_hit');
    expect(withheld([...lost, ofac('hit'), releaseSettlement()], kyt('failed'))).toBe('kyt_failed');
    expect(withheld([...lost, ofac('hit')], releaseSettlement())).toBe('released');
  });

  it('is withheld again by what the release was not about: another payment, or the same that was well in between', () => {
    const released = [...both, lost('tx-a'), confirmed({ txid: 'tx-b' }), releaseSettlement()];
    expect(withheld(released, reorged({ txid: 'tx-b' }))).toBe('reorged');
    const gone = [...both, lost('tx-a'), confirmed({ txid: 'tx-b' }), releaseSettlement(), reorged({ txid: 'tx-b' })];
    expect(withheld(gone, lost('tx-b'))).toBe('double_spent');
    given(...gone, lost('tx-b'))
      .when(settled('batch-1'))
      .thenRejected();
    expect(withheld([...gone, lost('tx-b')], releaseSettlement())).toBe('released');
    const back = [...slow, reorged(), releaseSettlement(), confirmed()];
    expect(withheld(back, reorged())).toBe('reorged');
    given(...back, settled('batch-1'))
      .when(reorged())
      .thenEvents({ data: { alerts: ['confirmation_reorged', 'withheld_after_settlement'] } });
    expect(withheld([...slow, kyt('failed'), releaseSettlement(), review('passed')], kyt('failed'))).toBe('kyt_failed');
  });

  it('stays released while what the release was about goes on, whatever else ends', () => {
    const released = [...both, lost('tx-a'), releaseSettlement()];
    expect(withheld(released, confirmed({ txid: 'tx-b' }))).toBe('released');
    given(...released, confirmed({ txid: 'tx-b' }), settled('batch-1'))
      .when(seen({ txid: 'tx-c' }))
      .thenEvents({ data: { alerts: ['payment_after_decision'] } });
  });

  it('is shown as it was written, and withheld all the same from a batch, where an older release was held for more', () => {
    const past = history(...both, lost('tx-a'), confirmed({ txid: 'tx-b' }), releaseSettlement());
    const older = history(...past, reorged({ txid: 'tx-b' }), releaseSettlement(), lost('tx-b')).map(asBefore);
    const after = given(...older).when(settled('batch-1'));
    after.thenRejected();
    expect(after.after().standing.settlementWithheld).toBe('released');
    expect(withheld(older, releaseSettlement())).toBe('released');
    given(...older, releaseSettlement())
      .when(settled('batch-1'))
      .thenEvents({ type: 'SettlementIncluded' });
    expect(withheld(older, ofac('clear'))).toBe('double_spent');
  });

  it.each([
    ['unconfirmed', [ofac('hit')], ['unconfirmed'], ['ofac_hit']],
    [
      'unconfirmed, payment by payment',
      [lost('tx-b')],
      ['unconfirmed:tx-a:0', 'unconfirmed:tx-b:0'],
      ['double_spent:tx-b:0'],
    ],
    ['a lost payment', [lost('tx-a'), lost('tx-b')], ['double_spent:tx-a:0'], ['double_spent:tx-b:0']],
    ['nothing', [], [], ['unconfirmed:tx-a:0', 'unconfirmed:tx-b:0']],
  ] as const)('is not released where more withholds it than was named: %s', (_, happened, named, unnamed) => {
    given(...both, ...happened)
      .when(releaseSettlement(named))
      .thenRefused('settlement_withheld_for_more', { unnamed });
  });

  it('is released where what withholds it was named, by its kind or payment by payment, and what is over too', () => {
    for (const named of [
      ['unconfirmed'],
      ['unconfirmed:tx-a:0', 'unconfirmed:tx-b:0'],
      ['unconfirmed', 'ofac_hit'],
    ] as const)
      expect(withheld(both, releaseSettlement(named))).toBe('released');
    const past = [...both, lost('tx-a'), confirmed({ txid: 'tx-b' }), releaseSettlement(['double_spent'])];
    expect(withheld([...past, ofac('hit')], releaseSettlement(['ofac_hit']))).toBe('released');
    given(...past)
      .when(releaseSettlement(['double_spent']))
      .thenRefused('settlement_not_withheld');
  });

  it('is released for what was looked at, and not for the same that was over and came up again, nor settled since', () => {
    const lost = [...slow, reorged()];
    const looked = lost.length - 1;
    expect(withheld(lost, releaseSettlement(['reorged:tx-a:0'], looked))).toBe('released');
    given(...lost, confirmed(), reorged())
      .when(releaseSettlement(['reorged:tx-a:0'], looked))
      .thenRefused('settlement_withheld_again', { again: ['reorged:tx-a:0'] });
    given(...slow, kyt('failed'), review('passed'), kyt('failed', { riskScore: '95' }))
      .when(releaseSettlement(['kyt_failed'], looked))
      .thenRefused('settlement_withheld_again', { again: ['kyt_failed'] });
    given(...lost, confirmed(), settled('batch-1'), reorged())
      .when(releaseSettlement(['reorged'], looked))
      .thenRefused('settled_since', { batchId: 'batch-1' });
    const unconfirmed = releaseSettlement(['unconfirmed'], fast.length - 1);
    expect(withheld(fast, unconfirmed)).toBe('released');
    given(...fast, dropped(), seen({ at: minute(9) }))
      .when(unconfirmed)
      .thenRefused('settlement_withheld_again', { again: ['unconfirmed:tx-a:0'] });
  });

  it('releases nothing that is not withheld', () => {
    for (const past of [slow, fast.slice(0, -1), [...fast, doubleSpent(), releaseSettlement()]])
      given(...past)
        .when(releaseSettlement())
        .thenRefused('settlement_not_withheld');
  });

  it('keeps its batch when money that was settled is gone: operators are alerted', () => {
    const after = given(...slow, settled('batch-1')).when(reorged());
    after.thenEvents({
      type: 'PaymentReorged',
      data: { alerts: ['confirmation_reorged', 'withheld_after_settlement'] },
    });
    expect(after.after().settlementBatchId).toBe('batch-1');
    given(...slow, settled('batch-1'), reorged())
      .when(settled('batch-1'))
      .thenIgnored();
  });
});
