import { wellNodes } from '../nodes/well.ts';
import type { Shown, Turn } from '../parts.ts';
import { LONGEST_MS, shownIn } from './shown.ts';
import { neededForGood } from './witnesses.ts';

/** Of payments of which that is decided what a block ends them by: undefined where it does not. */
export type Decided = ReadonlyMap<string, string | undefined>;

export type Ending = (hash: string, txids: readonly string[]) => Promise<Decided>;

/** What most of those show that have the block. */
const mostOf = (all: readonly Shown[], txid: string): { readonly by: string | undefined; readonly times: number } => {
  const [[by, those] = [undefined, []]] = [...Map.groupBy(all, ({ ends }) => ends.get(txid))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return { by, times: those.length };
};

/**
 * By as many nodes as have to agree, and more than half of those that have the block: one alone could show under the hash
 * that all have what takes the place of a payment, or leave it out.
 */
export const createEnding = (turn: Turn): Ending => {
  const { chain, looks, failing, logger } = turn;
  const until = performance.now() + LONGEST_MS;

  const tell = (hash: string, txids: readonly string[]): void =>
    logger.error(
      { alert: 'chain_spending_differs', chain: chain.coin, block: hash, payments: txids },
      'nodes differ in what a block spends of what payments need: what as many show as have to agree counts',
    );

  return async (hash, txids) => {
    const isLate = performance.now() >= until;
    const isAll = ({ ends }: Shown): boolean => txids.every((txid) => ends.has(txid));
    const asked = wellNodes(looks, failing).map((node) => shownIn(turn, node, hash, { isAll, isLate }));
    const all = (await Promise.all(asked)).filter((each) => each !== undefined);
    const said = txids.map((txid) => ({ txid, ...mostOf(all, txid) }));
    const decided = said.filter(({ times }) => times >= neededForGood(turn) && 2 * times > all.length);
    const differing = decided.filter(({ times }) => times < all.length).map(({ txid }) => txid);
    if (differing.length > 0) tell(hash, differing);
    return new Map(decided.map(({ txid, by }) => [txid, by]));
  };
};
