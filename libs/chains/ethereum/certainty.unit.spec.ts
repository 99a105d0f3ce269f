import { expect, it } from '@jest/globals';
import type { RpcClient } from '../rpc/client.ts';
import { mayComeNext } from './certainty.ts';

const [sender, payee] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];

/** By a node on which that waits, and no account has code. */
const mayCome = (sent: object): Promise<boolean> => {
  const says: Readonly<Record<string, unknown>> = {
    eth_getTransactionByHash: { from: sender, maxFeePerGas: '0x77359400', ...sent },
    eth_getBlockByNumber: { baseFeePerGas: '0x3b9aca00' },
    eth_getCode: '0x',
  };
  const call = async <T>(method: string, ...params: readonly unknown[]) => {
    if (params.includes(null) || params.includes(undefined)) throw new Error(`${method} was asked of nobody`);
    return says[method] as T;
  };
  const client: RpcClient = { name: 'node', timeoutMs: 0, call, batch: () => Promise.reject(new Error('not asked')) };
  return mayComeNext(client, '0xaa');
};

it('what pays an account without code may come next', async () => {
  expect(await mayCome({ to: payee })).toBe(true);
});

it.each([
  ['null', { to: null }],
  ['left out', {}],
])('what makes a contract, its payee %s, may pay another sum by its code, or none', async (_, sent) => {
  expect(await mayCome(sent)).toBe(false);
});
