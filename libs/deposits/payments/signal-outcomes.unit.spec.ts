import { describe, it } from '@jest/globals';
import {
  confirmed,
  deadlineMissed,
  doubleSpent,
  dropped,
  expired,
  issue,
  kyt,
  reorged,
  seen,
} from '../testing/commands.ts';
import { given } from '../testing/given.ts';

describe('what a payment signal comes to', () => {
  it('quote.expired on a paid deposit is ignored', () => {
    given(issue(), seen()).when(expired()).thenIgnored();
    given(issue(), expired()).when(expired()).thenIgnored();
  });

  it('rejected: an amount of 0 or malformed, an unknown payment, another amount for the same payment', () => {
    for (const amount of ['0', '0.000', '-1', '1e3', '', 'NaN', ' 1'])
      given(issue()).when(seen({ amount })).thenRejected();
    for (const signal of [confirmed(), dropped(), doubleSpent(), reorged()]) given(issue()).when(signal).thenRejected();
    given(issue(), seen())
      .when(seen({ amount: '3' }))
      .thenRejected();
    given(issue(), seen())
      .when(confirmed({ confirmations: -1 }))
      .thenRejected();
    given(issue(), seen()).when(reorged()).thenRejected();
    given(issue(), seen(), confirmed()).when(dropped()).thenRejected();
    given(issue())
      .when(seen({ at: 'yesterday' }))
      .thenRejected();
    given().when(seen()).thenRejected();
  });

  it('one transaction is one payment, with 0x before its hash or without', () => {
    const [hash, spelled] = ['ab'.repeat(32), `0x${'ab'.repeat(32)}`];
    for (const [first, again] of [
      [hash, spelled],
      [spelled, hash],
    ] as const) {
      given(issue(), seen({ txid: first }))
        .when(seen({ txid: again }))
        .thenIgnored();
      given(issue(), seen({ txid: first }))
        .when(confirmed({ txid: again }))
        .thenShows({ status: 'Confirmed' });
    }
  });

  const dust = (count: number) => Array.from({ length: count }, (_, vout) => seen({ vout, amount: '0.00000001' }));

  it('ignored: dust beyond 500 payments, while the real one still finds its place', () => {
    const dusted = given(issue(), ...dust(500));
    dusted.when(seen({ vout: 500, amount: '0.00199999' })).thenIgnored();
    dusted.when(seen({ vout: 500, amount: '0.002' })).thenShows({ confirmed_crypto: 0.002005 });
    given(issue(), ...dust(499))
      .when(seen({ vout: 499, amount: '0.00000001' }))
      .thenShows({ confirmed_crypto: 0.000005 });
  });

  it('ignored: a payment beyond the thousandth, while those known go on', () => {
    const payments = Array.from({ length: 1_000 }, (_, vout) => seen({ vout, amount: '0.002' }));
    const full = given(issue(), ...payments);
    full.when(seen({ vout: 1_000, amount: '2' })).thenIgnored();
    full.when(confirmed({ vout: 999 })).thenShows({ confirmed_crypto: 2 });
  });

  const crowd = (txid: string, amount: string, count = 500) =>
    Array.from({ length: count }, (_, vout) => seen({ txid, vout, amount }));
  const replacedCrowd = (txid: string, amount: string, count = 500) => [
    ...crowd(txid, amount, count),
    ...crowd(txid, amount, count).map((_, vout) => doubleSpent({ txid, vout })),
  ];
  const droppedCrowd = (txid: string, amount: string, count = 500) => [
    ...crowd(txid, amount, count),
    ...crowd(txid, amount, count).map((_, vout) => dropped({ txid, vout })),
  ];

  it.each([
    ['double-spent', replacedCrowd],
    ['dropped', droppedCrowd],
  ])('a payment that is %s gives its place back, and the real one finds it', (_, gone) => {
    const past = given(issue(), ...gone('tx-dust', '0.00000001'), ...gone('tx-more', '0.002'));
    past.when(seen({ amount: '0.00000001' })).thenShows({ confirmed_crypto: 1e-8 });
    past.when(seen()).thenShows({ status: 'Succeed', confirmed_crypto: 2 });
  });

  it('who raises the fee of his payment after a crowd finds a place for what replaces it', () => {
    const past = [issue(), seen(), ...crowd('tx-dust', '0.00000001', 499), ...crowd('tx-more', '0.002')];
    given(...past, doubleSpent({ replacedBy: 'tx-b' }))
      .when(seen({ txid: 'tx-b' }))
      .thenShows({ status: 'Overpaid' });
  });

  it.each(['yesterday', '2026', '2026-03-01', '2026-03-01T12:00:00', '2026-13-01T12:00:00Z', ''])(
    'rejected: %p is no time of a fact',
    (at) => {
      given(issue()).when(seen({ at })).thenRejected();
    },
  );

  it('the time of a fact is shown in UTC, whatever its zone', () => {
    given(issue(), seen())
      .when(kyt('passed', { at: '2026-03-01T14:01:00+02:00' }))
      .thenShows({ kyt_checked_at: '2026-03-01T12:01:00.000Z' });
  });

  it('ignored: the same payment under a new signal_id, a state already reached', () => {
    given(issue(), seen()).when(seen()).thenIgnored();
    given(issue(), seen(), confirmed()).when(confirmed()).thenIgnored();
    given(issue(), seen(), dropped()).when(dropped()).thenIgnored();
    given(issue(), seen(), confirmed(), reorged()).when(reorged()).thenIgnored();
    given(issue(), seen(), deadlineMissed()).when(deadlineMissed()).thenIgnored();
  });

  it('duplicate: the same signal_id again, once it was applied', () => {
    const first = seen();
    given(issue(), first).when(first).thenDuplicate();
    given(issue(), first, confirmed()).when(first).thenDuplicate();
  });
});
