import type { ChainNode } from '#chains';
import type { Turn } from '../parts.ts';
import { moveAudit, moveRescan, openRescan } from '../rows/rescans.ts';
import { keptHash, type Tip } from '../rows/tip.ts';
import { type Difference, readAgain } from './read-again.ts';

const DEPTH = 6;
const AT_ONCE = 20;

const tellDifference = ({ chain, logger }: Turn, node: ChainNode, height: number, { missing, surplus }: Difference) =>
  logger.error(
    { alert: 'chain_healed', chain: chain.coin, node: node.name, height, missing, surplus },
    'a block held other payments than were taken from it: that is put right',
  );

/** "An auditor re-reads blocks six deep, from a second node where there is one, and heals what differs, loudly." */
export const auditBlocks = async (turn: Turn, tip: Tip, others: readonly ChainNode[]): Promise<void> => {
  const { pool, chain, node } = turn;
  const witness = others[0] ?? node;
  const last = Math.min(tip.height - DEPTH + 1, tip.auditedHeight + AT_ONCE);
  for (let height = tip.auditedHeight + 1; height <= last; height += 1) {
    const hash = await keptHash(pool, chain.coin, height);
    const difference = hash && (await readAgain(turn, tip, { node: witness, hash, height }));
    // The witness does not have it, or is behind: it is asked again.
    if (hash && !difference) return;
    if (difference && difference.missing + difference.surplus > 0) tellDifference(turn, witness, height, difference);
    await moveAudit(pool, chain.coin, height);
  }
};

/** What an operator asked for, some blocks at a time, so that new ones need not wait. */
export const rescan = async (turn: Turn, tip: Tip): Promise<void> => {
  const { pool, chain, node } = turn;
  const asked = await openRescan(pool, chain.coin);
  if (!asked) return;
  const last = Math.min(asked.toHeight, tip.height, asked.nextHeight + AT_ONCE - 1);
  if (last < asked.nextHeight) return moveRescan(pool, asked.id, asked.toHeight + 1, 0);
  for (let height = asked.nextHeight; height <= last; height += 1) {
    // Of the branch that was applied, whatever the node has meanwhile.
    const hash = (await keptHash(pool, chain.coin, height)) ?? (await node.hashAt(height));
    const difference = hash && (await readAgain(turn, tip, { node, hash, height }));
    if (!difference)
      throw new Error(`block ${height} of ${chain.coin} cannot be read again: ${node.name} has not got it`);
    if (difference.missing + difference.surplus > 0) tellDifference(turn, node, height, difference);
    await moveRescan(pool, asked.id, height + 1, difference.missing);
  }
};
