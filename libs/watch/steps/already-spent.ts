import type { ChainTransaction } from '#chains';
import type { Turn } from '../parts.ts';
import { minedSpenders } from '../rows/inputs.ts';
import { keptAmong } from '../rows/tip.ts';
import type { Found } from './record.ts';

/** By whom the newest blocks that were applied, and payments in any that is kept, spend what these depend on. */
const spendersOf = async ({ pool, chain, recent }: Turn, found: readonly Found[]) => {
  const wanted = new Set(found.flatMap(({ dependences }) => dependences.map(({ outpoint }) => outpoint)));
  const kept = await keptAmong(pool, chain.coin, [...recent.keys()]);
  const applied = kept.flatMap(({ hash }) => recent.get(hash) ?? []);
  const spentIn = (of: (transaction: Pick<ChainTransaction, 'inputs' | 'usedUp'>) => readonly string[]) =>
    applied.flatMap((each) =>
      of(each)
        .filter((outpoint) => wanted.has(outpoint))
        .map((outpoint) => [outpoint, each.txid] as const),
    );
  // What a transaction names as its own comes last, as where conflicts are looked for.
  return new Map([
    ...spentIn(({ usedUp = [] }) => usedUp),
    ...spentIn(({ inputs }) => inputs),
    ...(await minedSpenders(pool, chain.coin, [...wanted])),
  ]);
};

/**
 * Without what can come no more, since a block that was applied spends what it needs. No mempool on that block has such a
 * payment; a node on another branch has, and so has a name behind which one of several nodes is late.
 */
export const withoutSpent = async (turn: Turn, found: readonly Found[]) => {
  const spent = new Set<string>();
  if (found.length === 0) return { found, spent };
  // All that one transaction pays leans on the same: each time anew that would be thousands of times hundreds of coins.
  const oneOfEach = [...new Map(found.map((each) => [each.match.transaction.txid, each])).values()];
  const spenders = await spendersOf(turn, oneOfEach);
  for (const { match, dependences } of oneOfEach)
    for (const { outpoint, via } of dependences) {
      const { txid } = match.transaction;
      const by = spenders.get(outpoint) ?? via;
      if (by !== via && by !== txid) spent.add(txid);
    }
  return { found: found.filter(({ match }) => !spent.has(match.transaction.txid)), spent };
};
