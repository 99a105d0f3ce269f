import type { ChainNode } from '#chains';
import { withinTime } from '#platform/pause';

/** A node that hangs has nothing to say. */
export const PATIENCE_MS = 3_000;

/** Nodes that hang, or fail: of such a one nothing is asked a second time in a turn. */
export type Silent = {
  readonly has: (node: ChainNode) => boolean;
  /** Undefined where it is silent. */
  readonly ask: <T>(node: ChainNode, question: (node: ChainNode) => Promise<T>) => Promise<T | undefined>;
};

export const createSilent = (from: readonly ChainNode[] = []): Silent => {
  const silent = new Set(from);
  return {
    has: (node) => silent.has(node),
    ask: async (node, question) =>
      silent.has(node)
        ? undefined
        : withinTime(question(node), PATIENCE_MS).catch(() => {
            silent.add(node);
            return undefined;
          }),
  };
};
