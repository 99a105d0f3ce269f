import type { ChainNode } from '#chains';

/** One that hangs would take all the time there is: the others are asked without it so long. */
export const LEFT_OUT_MS = 30_000;

export type LeftOut = {
  readonly has: (node: ChainNode) => boolean;
  readonly add: (node: ChainNode) => void;
};

export const createLeftOut = (): LeftOut => {
  const until = new Map<ChainNode, number>();
  return {
    has: (node) => performance.now() < (until.get(node) ?? 0),
    add: (node) => void until.set(node, performance.now() + LEFT_OUT_MS),
  };
};
