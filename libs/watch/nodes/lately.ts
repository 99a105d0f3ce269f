import type { ChainNode } from '#chains';
import type { Look } from './look.ts';

/** Longer than a node takes to start anew. */
const LATELY_MS = 300_000;

/** How nodes were a while ago: one that is away for a moment is no less right than before. */
export type Lately = {
  readonly note: (looks: readonly Look[]) => void;
  readonly hasAnswered: (node: ChainNode) => boolean;
  /** Whoever has just begun to look, or looks again after as long, knows nothing of a while ago. */
  readonly knows: () => boolean;
  readonly wasWell: (node: ChainNode) => boolean;
  /** Well, or as young on another branch than the applied one: it may have most of that all the same. */
  readonly wasUp: (node: ChainNode) => boolean;
};

export const createLately = (now: () => Date): Lately => {
  const answered = new Map<ChainNode, number>();
  const well = new Map<ChainNode, number>();
  const up = new Map<ChainNode, number>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const isLately = (at: number | undefined): boolean => at !== undefined && now().getTime() - at <= LATELY_MS;
  const goOn = (at: number): void => {
    if (at - last > LATELY_MS) first = at;
    last = at;
  };
  return {
    note: (looks) => {
      const at = now().getTime();
      goOn(at);
      for (const { node, state, head } of looks) {
        if (head) answered.set(node, at);
        if (state === 'ok') well.set(node, at);
        if (state === 'ok' || state === 'elsewhere') up.set(node, at);
      }
    },
    knows: () => now().getTime() - first >= LATELY_MS,
    hasAnswered: (node) => isLately(answered.get(node)),
    wasWell: (node) => isLately(well.get(node)),
    wasUp: (node) => isLately(up.get(node)),
  };
};
