import { describe, expect, it } from '@jest/globals';
import type { RpcClient } from '../rpc/client.ts';
import { feeDoubt } from './fees.ts';

const FLOOR = '0.00001000';
const BELOW = 'the fee rate is below the estimate for the next blocks';

/** As a node writes so many satoshi. */
const coins = (satoshi: number): string => `0.${String(satoshi).padStart(8, '0')}`;

/** What is said of a payment, by what a node tells of it and of all that waits. */
const doubtOf = (entry: object, info: object = { bytes: 1, mempoolminfee: FLOOR }, estimate: object = {}) => {
  const says: Readonly<Record<string, object>> = {
    getmempoolentry: entry,
    getmempoolinfo: info,
    estimatesmartfee: estimate,
  };
  const call = async <T>(method: string) => says[method] as T;
  const client: RpcClient = { name: 'node', timeoutMs: 0, call, batch: () => Promise.reject(new Error('not asked')) };
  return feeDoubt(client, 'ab');
};

const SIZES = Array.from({ length: 1_111 }, (_, nth) => 90 + nth);
const FULL = { bytes: 2_000_000, mempoolminfee: FLOOR };

/** The sizes at which a payment is not doubted that pays so much. */
const undoubted = async (entryOf: (vsize: number) => object): Promise<readonly number[]> => {
  const doubts = await Promise.all(SIZES.map((vsize) => doubtOf(entryOf(vsize))));
  return SIZES.filter((_, nth) => doubts[nth] === undefined);
};

describe('a payment of whatever size', () => {
  it('passes where it pays the floor, and does not where it pays one satoshi less', async () => {
    expect(await undoubted((vsize) => ({ vsize, fees: { base: coins(vsize) } }))).toEqual(SIZES);
    expect(await undoubted((vsize) => ({ vsize, fees: { base: coins(vsize - 1) } }))).toEqual([]);
  });

  it('is held to the same with what it leans on', async () => {
    const leaning = (vsize: number, ancestor: number) => ({
      ...{ vsize: 200, ancestorsize: vsize },
      fees: { base: coins(9_000), ancestor: coins(ancestor) },
    });
    expect(await undoubted((vsize) => leaning(vsize, vsize))).toEqual(SIZES);
    expect(await undoubted((vsize) => leaning(vsize, vsize - 1))).toEqual([]);
  });
});

it('what pays the estimate passes while more waits than a block takes, and one satoshi less does not', async () => {
  const paying = (satoshi: number) =>
    doubtOf({ vsize: 141, fees: { base: coins(satoshi) } }, FULL, { feerate: '0.00003000' });
  expect(await paying(423)).toBeUndefined();
  expect(await paying(422)).toBe(BELOW);
});

it.each([
  ['with an exponent', '1e-05', undefined],
  ['with an exponent, and more', '1.1e-05', BELOW],
  ['in parts of a satoshi', '0.00001000000000000001', BELOW],
  ['as nothing', 0, undefined],
] as const)('a floor is read that is written %s', async (_, mempoolminfee, doubt) => {
  expect(await doubtOf({ vsize: 141, fees: { base: coins(141) } }, { bytes: 1, mempoolminfee })).toBe(doubt);
});

it('what a miner was told to put behind others pays less than nothing with what it leans on', async () => {
  const fees = { base: coins(141), ancestor: '-0.00000001' };
  expect(await doubtOf({ vsize: 141, ancestorsize: 300, fees })).toBe(BELOW);
});

it.each([[undefined], ['soon'], ['NaN'], [null], [{}], ['0x1']])(
  'a fee that is none passes nothing: %j',
  async (odd) => {
    const fees = { base: coins(141) };
    for (const asked of [
      doubtOf({ vsize: 141, fees }, { bytes: 1, mempoolminfee: odd }),
      doubtOf({ vsize: 141, fees: { base: odd } }),
    ])
      expect(await asked).toBe('the node cannot tell what it pays');
  },
);
