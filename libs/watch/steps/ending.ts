import type { ChainNode } from '#chains';
import { wellNodes } from '../nodes/well.ts';
import type { Shown, Turn } from '../parts.ts';
import type { Conflict } from '../rows/inputs.ts';
import { ownWordOf } from './own-word.ts';
import { knownOf, shownIn } from './shown.ts';
import { neededForGood } from './witnesses.ts';

/** Of payments what a block ends them by: undefined where it does not, and none where that is not known. */
export type Decided = ReadonlyMap<string, string | undefined>;

/** What most of those say that have the block, and a word on that. */
const mostOf = (all: readonly Decided[], txid: string) => {
  const words = all.filter((word) => word.has(txid));
  const [[by, those] = [undefined, []]] = [...Map.groupBy(words, (word) => word.get(txid))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return { by, times: those.length, of: words.length };
};

const tellDiffering = ({ chain, logger }: Turn, hash: string, txids: readonly string[]): void =>
  logger.error(
    { alert: 'chain_spending_differs', chain: chain.coin, block: hash, payments: txids },
    'nodes differ in what a block spends of what payments need: what as many show as have to agree counts',
  );

/**
 * Whoever tells a block without its calls is asked for these where that does not show all to be ended: of an old one that
 * may be refused, or take it long.
 */
const wordOf = async (turn: Turn, node: ChainNode, hash: string, said: readonly Conflict[]): Promise<Decided> => {
  const txids = [...new Set(said.map(({ txid }) => txid))];
  const isNew = knownOf(turn, node, hash) === undefined;
  const own: Decided = isNew && node.spending ? await ownWordOf(turn, node, hash, said) : new Map();
  if (txids.every((txid) => own.get(txid) !== undefined)) return own;
  const isAll = ({ ends }: Shown): boolean => txids.every((txid) => ends.has(txid));
  const shown = await shownIn(turn, node, hash, { isAll, isLate: false });
  return shown ? new Map(txids.map((txid) => [txid, shown.ends.get(txid)])) : own;
};

/**
 * By as many nodes as have to agree, and more than half of those that have the block: one alone could show under the hash
 * that all have what takes the place of a payment, or leave it out.
 */
export const decidedByMost = async (turn: Turn, hash: string, said: readonly Conflict[]): Promise<Decided> => {
  const { looks, failing } = turn;
  const all = await Promise.all(wellNodes(looks, failing).map((node) => wordOf(turn, node, hash, said)));
  const txids = [...new Set(said.map(({ txid }) => txid))];
  const decided = txids
    .map((txid) => ({ txid, ...mostOf(all, txid) }))
    .filter(({ times, of }) => times >= neededForGood(turn) && 2 * times > of);
  const differing = decided.filter(({ times, of }) => times < of).map(({ txid }) => txid);
  if (differing.length > 0) tellDiffering(turn, hash, differing);
  return new Map(decided.map(({ txid, by }) => [txid, by]));
};
