import type { Gain } from '../chain-node.ts';

type Accounts = Readonly<Record<string, { readonly balance?: string }>>;

/** What the prestate tracer tells of one transaction: accounts before, and what changed of them. */
export type Difference = { readonly pre: Accounts; readonly post: Accounts };

export const STATE = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };

const balancesIn = (accounts: Accounts): ReadonlyMap<string, bigint> =>
  new Map(
    Object.entries(accounts).flatMap(([address, { balance }]) =>
      balance === undefined ? [] : [[address.toLowerCase(), BigInt(balance)] as const],
    ),
  );

/**
 * An account that was not there had nothing; what did not change is left out of what is after. Of whoever pays for being
 * mined, or earns by mining, more than payments moves the balance.
 */
export const gainsBy = (
  { hash, from }: { readonly hash: string; readonly from: string },
  miner: string,
  { pre, post }: Difference,
): readonly Gain[] => {
  const before = balancesIn(pre);
  const others = [from.toLowerCase(), miner.toLowerCase()];
  return [...balancesIn(post)].map(([script, after]) => ({
    txid: hash.toLowerCase(),
    script,
    amount: others.includes(script) ? undefined : after - (before.get(script) ?? 0n),
  }));
};
