import type { RpcClient } from '../rpc/client.ts';

type Accounts = Readonly<Record<string, { readonly balance?: string }>>;
type Difference = { readonly pre: Accounts; readonly post: Accounts };

const STATE = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };

const balanceIn = (accounts: Accounts, address: string): bigint | undefined => {
  const found = Object.entries(accounts).find(([each]) => each.toLowerCase() === address);
  return found?.[1].balance === undefined ? undefined : BigInt(found[1].balance);
};

type Mined = { readonly from: string; readonly blockHash: string };

/** What it pays for being mined, and what it earns by mining, stands between its balance and what it was paid. */
const hasOtherReasons = async ({ call }: RpcClient, txid: string, address: string): Promise<boolean> => {
  const { from, blockHash } = await call<Mined>('eth_getTransactionByHash', txid);
  if (from.toLowerCase() === address) return true;
  return (await call<{ miner: string }>('eth_getBlockByHash', blockHash, false)).miner.toLowerCase() === address;
};

/** By the state before and after: a second witness of what the calls say. An account that was not there had nothing. */
export const creditedBy = async (client: RpcClient, txid: string, address: string): Promise<bigint | undefined> => {
  if (await hasOtherReasons(client, txid, address)) return undefined;
  const { pre, post } = await client.call<Difference>('debug_traceTransaction', txid, STATE);
  const before = balanceIn(pre, address) ?? 0n;
  // What did not change is left out of what is after.
  return (balanceIn(post, address) ?? before) - before;
};
