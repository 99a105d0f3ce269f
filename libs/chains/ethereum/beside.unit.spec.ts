import { expect, it } from '@jest/globals';
import { besideIn } from './beside.ts';

const [ONE, OTHER, MINER] = [`0x${'Ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`, `0x${'Ef'.repeat(20)}`] as const;
const withdrawals = [
  { address: ONE, amount: '0x2' },
  { address: OTHER, amount: '0x1' },
  { address: ONE, amount: '0x3' },
];

it('what validators withdraw is one sum for each account, in wei', () => {
  expect(besideIn({ miner: MINER, transactions: [], withdrawals })).toEqual([
    { script: ONE.toLowerCase(), amount: 5_000_000_000n },
    { script: OTHER, amount: 1_000_000_000n },
  ]);
});

it('what is tipped comes with transactions, and of blocks that know no withdrawals too', () => {
  const tips = [{ script: MINER.toLowerCase(), amount: undefined }];
  expect(besideIn({ miner: MINER, transactions: [{}] })).toEqual(tips);
  expect(besideIn({ miner: MINER, transactions: [{}], withdrawals: null })).toEqual(tips);
});
