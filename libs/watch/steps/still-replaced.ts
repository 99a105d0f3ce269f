import type { Turn } from '../parts.ts';
import { paymentsOf } from '../rows/payments.ts';
import type { Match } from './matches.ts';
import type { RivalOfMost } from './rivalry.ts';

/**
 * A node may keep what others have replaced, and would have it seen again by whoever looks at its mempool for the first
 * time: of these, what was told to be double-spent, and as many still have something in its place, or that is not known
 * now. In a block it counts.
 */
export const stillReplaced = async (
  { pool, chain }: Turn,
  rivalOfMost: RivalOfMost,
  matches: readonly Match[],
): Promise<ReadonlySet<string>> => {
  const still = new Set<string>();
  if (chain.agree <= 1) return still;
  const txids = new Set(matches.map(({ transaction }) => transaction.txid));
  const known = await paymentsOf(pool, chain.coin, [...txids]);
  const replaced = new Set(known.flatMap(({ txid, state }) => (state === 'replaced' ? [txid] : [])));
  for (const txid of replaced) {
    const { by, isOpen } = await rivalOfMost(txid, [], true);
    if (by !== undefined || isOpen) still.add(txid);
  }
  return still;
};
