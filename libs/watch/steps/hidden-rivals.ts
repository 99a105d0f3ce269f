import { type ChainNode, unless } from '#chains';
import { withinTime } from '#platform/pause';
import { inTransaction } from '#platform/postgres';
import { areBlocksAgreed } from '../chain.ts';
import { wellNodes } from '../nodes/well.ts';
import type { Turn } from '../parts.ts';
import { type Conflict, conflictsWith, type Spending } from '../rows/inputs.ts';
import { haveWaiting } from '../rows/rivals.ts';
import { type KeptBlock, keptAmong, lockBranch, type Tip } from '../rows/tip.ts';
import { contest } from './block-rivals.ts';
import { isRefusal } from './shown.ts';

/** A node that hangs has no word in this turn. */
const PATIENCE_MS = 3_000;

/** Then the rest of the turn has its own, and who is left is asked with the next one. */
const LONGEST_MS = 3_000;

const spendingAt = async (node: ChainNode, hash: string): Promise<readonly Spending[] | undefined> =>
  node.spending ? node.spending(hash) : (await node.block(hash))?.transactions;

/** Undefined where it has not got the block, or does not answer. */
const ask = async ({ reticent }: Turn, node: ChainNode, hash: string): Promise<readonly Spending[] | undefined> => {
  if (reticent.has(node)) return undefined;
  return withinTime(unless(isRefusal, spendingAt(node, hash)), PATIENCE_MS).catch(() => {
    reticent.add(node);
    return undefined;
  });
};

/** It is told once as many show it as have to agree; meanwhile nothing that it would end passes any guard. */
export const contestBy = async (turn: Turn, tip: Tip, block: KeptBlock, found: readonly Conflict[]): Promise<void> => {
  const { pool, chain } = turn;
  if (found.length === 0 || !areBlocksAgreed(chain)) return;
  await inTransaction(pool, async (db) => {
    await lockBranch(db, chain.coin, tip);
    await contest(db, turn, block, found);
  });
};

/** Of the newest blocks that were applied those of which a node that is well has not said what they spend, and who. */
const unsaid = async ({ pool, chain, recent, looks, failing, shown: { spendingBy } }: Turn) => {
  for (const hash of spendingBy.keys()) if (!recent.has(hash)) spendingBy.delete(hash);
  const well = wellNodes(looks, failing);
  const leftOf = (hash: string) => well.filter((node) => !spendingBy.get(hash)?.has(node));
  const open = [...recent.keys()].filter((hash) => leftOf(hash).length > 0);
  if (open.length === 0 || !(await haveWaiting(pool, chain.coin))) return [];
  const kept = await keptAmong(pool, chain.coin, open);
  return kept.flatMap((block) => leftOf(block.hash).map((node) => ({ block, node })));
};

/**
 * The node that a block was taken from may have left out what takes a payment's place, where the hash that all have covers
 * nothing that is shown: so every other that is well is asked once what the newest blocks spend.
 */
export const lookForHidden = async (turn: Turn, tip: Tip): Promise<void> => {
  const { pool, chain, shown, stopping } = turn;
  if (!areBlocksAgreed(chain)) return;
  const until = performance.now() + LONGEST_MS;
  for (const { block, node } of await unsaid(turn)) {
    if (stopping.aborted || performance.now() >= until) return;
    const spending = await ask(turn, node, block.hash);
    if (!spending) continue;
    await contestBy(turn, tip, block, await conflictsWith(pool, chain.coin, spending));
    shown.spendingBy.get(block.hash)?.add(node);
  }
};
