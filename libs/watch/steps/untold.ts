import type { ChainTransaction } from '#chains';
import { ChainHeld, type Turn, timeOf } from '../parts.ts';
import type { Word } from './said-senders.ts';

/** A node that fails for a moment sends no payment to review, and one that nobody tells the senders of holds no other up. */
const [PATIENCE_MS, TRIES] = [60_000, 3];

const REMEMBERED = 100;

/** Some node may tell them in a moment. */
export class SendersAwaited extends ChainHeld {}

/** Nobody was asked. */
export class NobodyAsked extends SendersAwaited {}

const triedAgain = (turn: Turn, key: string, more: 0 | 1) => {
  const { untold } = turn;
  const now = timeOf(turn).getTime();
  const { since, tries } = untold.get(key) ?? { since: now, tries: 0 };
  untold.set(key, { since, tries: tries + more });
  const [oldest] = untold.keys();
  if (untold.size > REMEMBERED && oldest !== undefined) untold.delete(oldest);
  return { tries: tries + more, age: now - since };
};

/** Nobody was asked yet where it comes from; once it is told, it was seen now. */
export const putOff = (turn: Turn, { txid }: ChainTransaction): NobodyAsked => {
  triedAgain(turn, txid, 0);
  return new NobodyAsked(`nobody was asked yet where ${txid} comes from`, true);
};

const TOLD_BY = 'told by';

const tellersOf = (words: readonly Word[]): string => `${TOLD_BY} ${words.map(({ node }) => node.name).toSorted()}`;

/** Once a block was held for those that say nothing no later one is, until others tell than did then. */
export const isGivenUp = (
  turn: Turn,
  words: readonly Word[],
  {
    transaction: { txid },
    blockHash,
  }: { readonly transaction: ChainTransaction; readonly blockHash: string | undefined },
): boolean => {
  const tellers = tellersOf(words);
  if (blockHash !== undefined && turn.untold.has(tellers)) return true;
  const { tries, age } = triedAgain(turn, blockHash ?? txid, 1);
  const isOver = tries >= TRIES && age >= PATIENCE_MS;
  if (isOver && words.length > 0 && blockHash !== undefined) triedAgain(turn, tellers, 1);
  return isOver;
};

/** Those that said nothing then may have begun to. */
export const noteTellers = ({ untold }: Turn, words: readonly Word[]): void => {
  if (words.length === 0) return;
  const tellers = tellersOf(words);
  for (const key of untold.keys()) if (key.startsWith(TOLD_BY) && key !== tellers) untold.delete(key);
};
