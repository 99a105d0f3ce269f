import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { guarded, type Told } from './signals.ts';

const [one, two] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const paid: Told = {
  ...{ chain: 'ETH', txid: `0x${'12'.repeat(32)}`, vout: 1, script: one, amount: 70_000n, epoch: 2 },
  ...{ depositId: 1, transactionId: null },
};

const idOf = (...payments: readonly Told[]) => guarded(payments, new Date(0), undefined).signal_id;
const made = (...fact: readonly (string | number)[]) =>
  `live-${createHash('sha256').update(JSON.stringify(fact)).digest('hex')}`;

it('what is judged of two accounts that a contract pays in one transaction are two facts', () => {
  expect(idOf({ ...paid, script: two, depositId: 2 })).not.toBe(idOf(paid));
  expect(idOf({ ...paid, vout: 3, script: two, depositId: 2 })).not.toBe(idOf({ ...paid, vout: 3 }));
  expect(idOf({ ...paid, amount: 90_000n })).toBe(idOf(paid));
});

it.each([
  ['is sent in ETH', { ...paid, vout: 0 }],
  [
    'is paid in BTC, whose places are of one address each',
    { ...paid, chain: 'BTC' as const, txid: 'ab', script: '51' },
  ],
])('what %s has the name of releases before, under which it may have been told', (_, payment) => {
  const { txid, vout, epoch } = payment;
  const other = { ...payment, txid: 'another', vout: 4 };
  expect(idOf(payment, other)).toBe(made('guards.completed', txid, vout, epoch, 'another', 4, epoch));
});
