import type { ChainNode } from '#chains';
import type { Look, NodeState } from '../nodes/look.ts';
import type { Rescan } from '../rows/rescans.ts';

/** As long as a node that may have a block is waited for, before it is passed. */
const MOST_WAIT_SECONDS = 600;

/** Each question has every node read the block, and trace it: what has been waited for so long is asked for as often. */
const SOON_SECONDS = 5;
const PAUSE_MS = 5_000;

const REMEMBERED = 100;

/** For whom a block was waited for in vain is not waited for with each one behind it, while it is found as it was then. */
export const createWaits = () => {
  const inVain = new Map<number, Map<ChainNode, NodeState>>();
  let last: { readonly id: number; readonly height: number; readonly at: number } | undefined;

  const isOver = ({ waitedSeconds }: Rescan): boolean => waitedSeconds >= MOST_WAIT_SECONDS;

  return {
    isOver,
    /** Whether its next block was asked for just now. */
    rests: (asked: Rescan): boolean => {
      const { id, nextHeight, waitedSeconds } = asked;
      if (last?.id !== id || last.height !== nextHeight || waitedSeconds < SOON_SECONDS || isOver(asked)) return false;
      return performance.now() - last.at < PAUSE_MS;
    },
    waits: ({ id }: Rescan, height: number): void => {
      last = { id, height, at: performance.now() };
    },
    isAwaited: ({ id }: Rescan, { node, state }: Look): boolean => inVain.get(id)?.get(node) !== state,
    gaveUp: ({ id }: Rescan, looks: readonly Look[]): void => {
      const those = inVain.get(id) ?? new Map<ChainNode, NodeState>();
      for (const { node, state } of looks) those.set(node, state);
      inVain.set(id, those);
    },
    gave: ({ id }: Rescan, node: ChainNode): void => void inVain.get(id)?.delete(node),
    /** As nodes are found now. */
    look: ({ id }: Rescan, looks: readonly Look[]): void => {
      for (const each of inVain.keys()) if (each < id - REMEMBERED) inVain.delete(each);
      const those = inVain.get(id);
      for (const { node, state } of looks) if (those?.get(node) !== state) those?.delete(node);
    },
  };
};

export type Waits = ReturnType<typeof createWaits>;
