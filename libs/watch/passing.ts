import { AnswerTooLarge, type ChainNode } from '#chains';
import type { WatchParts } from './parts.ts';

export type Passing = {
  /** Throws what is no mempool that is too large to be read. */
  readonly pass: (node: ChainNode, error: unknown) => void;
  readonly end: () => void;
};

/** What waits in a mempool that cannot be read is seen once it is in a block, and no block waits for it: that is told once. */
export const createPassing = ({ logger, chain }: Pick<WatchParts, 'logger' | 'chain'>): Passing => {
  let isTold = false;
  return {
    pass: (node, error) => {
      if (!(error instanceof AnswerTooLarge)) throw error;
      const what = { alert: 'chain_mempool_passed', chain: chain.coin, node: node.name, reason: error.message };
      if (!isTold) logger.error(what, 'a mempool is more than can be read: what it pays is seen in blocks alone');
      isTold = true;
    },
    end: () => {
      isTold = false;
    },
  };
};
