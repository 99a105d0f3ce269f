import type { ChainNode } from '#chains';
import type { Look, NodeState } from '../nodes/look.ts';
import type { Rescan } from '../rows/rescans.ts';
import { LAPSES_MS } from './refusals.ts';

/** As long as a node that may have a block is waited for, before it is passed. */
const MOST_WAIT_MS = 600_000;

/** Each question has every node read the block, and trace it: what has been waited for so long is asked for as often. */
const PAUSE_MS = 5_000;

const REMEMBERED = 100;

/** What was asked for in vain, since when without a gap in which nobody asked, and when it was asked for last. */
type Wait = { readonly height: number; readonly since: number; readonly at: number };

const isUnbroken = (wait: Wait | undefined, height: number, now: number): wait is Wait =>
  wait?.height === height && now - wait.at < LAPSES_MS;

/** For whom a block was waited for in vain is not waited for with each one behind it, while it is found as it was then. */
export const createWaits = () => {
  const inVain = new Map<number, Map<ChainNode, NodeState>>();
  const waiting = new Map<number, Wait>();

  const forgetOld = (id: number): void => {
    for (const known of [inVain, waiting])
      for (const each of known.keys()) if (each < id - REMEMBERED) known.delete(each);
  };

  const waitOf = (id: number, height: number, now: number): Wait | undefined => {
    const wait = waiting.get(id);
    return isUnbroken(wait, height, now) ? wait : undefined;
  };

  /** No node is waited for by a service that is stopped, or that reads none. */
  const isOver = ({ id }: Rescan, height: number, now: number): boolean =>
    now - (waitOf(id, height, now)?.since ?? now) >= MOST_WAIT_MS;

  return {
    isOver,
    /** Whether its next block was asked for just now. */
    rests: (asked: Rescan, now: number): boolean => {
      const wait = waitOf(asked.id, asked.nextHeight, now);
      if (!wait || now - wait.since < PAUSE_MS || isOver(asked, asked.nextHeight, now)) return false;
      return now - wait.at < PAUSE_MS;
    },
    waits: ({ id }: Rescan, height: number, now: number): void =>
      void waiting.set(id, { height, since: waitOf(id, height, now)?.since ?? now, at: now }),
    isAwaited: ({ id }: Rescan, { node, state }: Look): boolean => inVain.get(id)?.get(node) !== state,
    gaveUp: ({ id }: Rescan, looks: readonly Look[]): void => {
      const those = inVain.get(id) ?? new Map<ChainNode, NodeState>();
      for (const { node, state } of looks) those.set(node, state);
      inVain.set(id, those);
    },
    gave: ({ id }: Rescan, node: ChainNode): void => void inVain.get(id)?.delete(node),
    /** As nodes are found now. */
    look: ({ id }: Rescan, looks: readonly Look[]): void => {
      forgetOld(id);
      const those = inVain.get(id);
      for (const { node, state } of looks) if (those?.get(node) !== state) those?.delete(node);
    },
  };
};

export type Waits = ReturnType<typeof createWaits>;
