import { KEPT_BLOCKS } from '../chain.ts';
import type { Turn } from '../parts.ts';
import { forgetBlocksBelow, type Tip } from '../rows/tip.ts';
import { type BorneOut, confirmDue, onceEach } from './confirm.ts';
import type { Agreement } from './witnesses.ts';

/**
 * Blocks are forgotten so far below one that as many nodes have as have to agree. They cost nothing to name: one node that
 * names thousands would have the chain forget where all others part from it, and nothing would lead back there.
 */
const createForgetting = () => {
  let last = '';
  return async ({ pool, chain }: Turn, { hash, height }: Tip, agreement: Agreement): Promise<void> => {
    if (hash === last || (await agreement(hash, height)) < chain.agree) return;
    await forgetBlocksBelow(pool, chain.coin, height - KEPT_BLOCKS[chain.coin] + 1);
    last = hash;
  };
};

/** What comes of older blocks as they get deeper. */
export const createDeepening = () => {
  const forget = createForgetting();
  return async (turn: Turn, tip: Tip, { agreement, settlement }: BorneOut): Promise<void> => {
    const agreed = onceEach(agreement);
    await forget(turn, tip, agreed);
    await confirmDue(turn, tip, { agreement: agreed, settlement });
  };
};
