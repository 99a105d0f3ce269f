import type { ChainNode, ChainTransaction } from '#chains';
import { ChainHeld, type InVain, type Turn, timeOf, type Untold } from '../parts.ts';
import { createFew } from './few.ts';
import { isWord, type Problem, type Word } from './said-senders.ts';

export const createUntold = (): Untold => ({
  few: createFew(),
  blocks: new Map(),
  waiting: new Map(),
  heldFor: new Map(),
  begun: new Map(),
  awaited: new Map(),
  offers: new Map(),
});

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

/** What is asked of one block, or of some that waits. */
export type Asking = {
  readonly blockHash: string | undefined;
  readonly telling: Set<ChainNode>;
  readonly failing: Set<ChainNode>;
};

export const beginAsking = (blockHash?: string): Asking => ({ blockHash, telling: new Set(), failing: new Set() });

export const noteAnswers = ({ telling, failing }: Asking, answers: readonly (Word | Problem)[]): void => {
  for (const answer of answers) (isWord(answer) ? telling : failing).add(answer.node);
};

/** One that hangs with some payments may well tell others in between. */
export const endAsking = ({ untold: { heldFor } }: Turn, { telling, failing }: Asking): void => {
  for (const [node, { owed, told }] of heldFor) {
    if (told >= owed) continue;
    if (failing.has(node)) heldFor.set(node, { owed, told: 0 });
    else if (telling.has(node)) heldFor.set(node, { owed, told: told + 1 });
  }
};

const isHeldFor = ({ untold: { heldFor } }: Turn, node: ChainNode): boolean => {
  const { owed, told } = heldFor.get(node) ?? { owed: 0, told: 0 };
  return told >= owed;
};

const giveUp = ({ untold: { heldFor } }: Turn, nodes: readonly ChainNode[]): void => {
  for (const node of nodes) heldFor.set(node, { owed: 2 * (heldFor.get(node)?.owed ?? 0) || 1, told: 0 });
};

/** Once a block was held for those that say nothing no later one is, until they told all for a while. */
export const isGivenUp = (
  turn: Turn,
  words: readonly Word[],
  { transaction: { txid }, asking: { blockHash } }: { readonly transaction: ChainTransaction; readonly asking: Asking },
): boolean => {
  if (blockHash === undefined) return isOver(turn, turn.untold.waiting, txid);
  const silent = turn.chain.nodes.filter((node) => !words.some((word) => word.node === node));
  const awaited = words.length === 0 ? [] : silent.filter((node) => isHeldFor(turn, node));
  if (words.length > 0 && awaited.length === 0) return true;
  const isSo = isOverFor(turn, blockHash);
  if (isSo) giveUp(turn, awaited);
  return isSo;
};

/** What has left the mempool is asked about no more; some of it another node may have, which is read with the next turn. */
export const forgetInVain = ({ untold: { waiting } }: Turn, mempool: ReadonlySet<string>): void => {
  if (waiting.size <= REMEMBERED) return;
  for (const txid of waiting.keys()) if (!mempool.has(txid)) waiting.delete(txid);
};
