import type { RpcClient } from '../rpc/client.ts';

type Accounts = Readonly<Record<string, { readonly balance?: string }>>;
type Difference = { readonly pre: Accounts; readonly post: Accounts };

const STATE = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };

const balanceIn = (accounts: Accounts, address: string): bigint | undefined => {
  const found = Object.entries(accounts).find(([each]) => each.toLowerCase() === address);
  return found?.[1].balance === undefined ? undefined : BigInt(found[1].balance);
};

/** By the state before and after: a second witness of what the calls say. An account that was not there had nothing. */
export const creditedBy = async ({ call }: RpcClient, txid: string, address: string): Promise<bigint> => {
  const { pre, post } = await call<Difference>('debug_traceTransaction', txid, STATE);
  const before = balanceIn(pre, address) ?? 0n;
  // What did not change is left out of what is after.
  return (balanceIn(post, address) ?? before) - before;
};
