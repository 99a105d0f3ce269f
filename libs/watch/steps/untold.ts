import type { ChainTransaction } from '#chains';
import { ChainHeld, type InVain, type Turn, timeOf, type Untold } from '../parts.ts';
import type { Word } from './said-senders.ts';

export const createUntold = (): Untold => ({ blocks: new Map(), waiting: new Map(), toldBy: new Set() });

/** A node that fails for a moment sends no payment to review, and one that nobody tells the senders of holds no other up. */
const [PATIENCE_MS, TRIES] = [60_000, 3];

const REMEMBERED = 100;

/** Some node may tell them in a moment. */
export class SendersAwaited extends ChainHeld {}

/** Nobody was asked. */
export class NobodyAsked extends SendersAwaited {
  constructor({ txid }: ChainTransaction) {
    super(`nobody was asked yet where ${txid} comes from`, true);
  }
}

const isOver = (turn: Turn, inVain: InVain, key: string): boolean => {
  const now = timeOf(turn).getTime();
  const { since, tries } = inVain.get(key) ?? { since: now, tries: 0 };
  inVain.set(key, { since, tries: tries + 1 });
  return tries + 1 >= TRIES && now - since >= PATIENCE_MS;
};

const isOverFor = (turn: Turn, blockHash: string): boolean => {
  const { blocks } = turn.untold;
  const isSo = isOver(turn, blocks, blockHash);
  const [oldest] = blocks.keys();
  if (blocks.size > REMEMBERED && oldest !== undefined) blocks.delete(oldest);
  return isSo;
};

const tellersOf = (words: readonly Word[]): string => String(words.map(({ node }) => node.name).toSorted());

/** Once a block was held for those that say nothing no later one is, until others tell than did then. */
export const isGivenUp = (
  turn: Turn,
  words: readonly Word[],
  {
    transaction: { txid },
    blockHash,
  }: { readonly transaction: ChainTransaction; readonly blockHash: string | undefined },
): boolean => {
  const { waiting, toldBy } = turn.untold;
  if (blockHash === undefined) return isOver(turn, waiting, txid);
  const tellers = tellersOf(words);
  if (toldBy.has(tellers)) return true;
  const isSo = isOverFor(turn, blockHash);
  if (isSo && words.length > 0) toldBy.add(tellers);
  return isSo;
};

/** Those that said nothing then may have begun to. */
export const noteTellers = ({ untold: { toldBy } }: Turn, words: readonly Word[]): void => {
  if (words.length === 0) return;
  const tellers = tellersOf(words);
  for (const each of toldBy) if (each !== tellers) toldBy.delete(each);
};

/** What has left the mempool is asked about no more; some of it another node may have, which is read with the next turn. */
export const forgetInVain = ({ untold: { waiting } }: Turn, mempool: ReadonlySet<string>): void => {
  if (waiting.size <= REMEMBERED) return;
  for (const txid of waiting.keys()) if (!mempool.has(txid)) waiting.delete(txid);
};
