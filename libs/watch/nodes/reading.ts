import type { ChainNode } from '#chains';
import { type Look, readableOf } from './look.ts';

/** Which node is read. */
export type Reading = {
  readonly node: () => ChainNode | undefined;
  readonly choose: (looks: readonly Look[]) => Look | undefined;
  /** What one of them fails at, the next turn asks another for. */
  readonly leave: (looks: readonly Look[], node: ChainNode) => void;
  /** Too few bear out what it would give up: others on another branch than the applied one are read before it. */
  readonly refuse: () => void;
};

export const createReading = (): Reading => {
  const refused = new Set<ChainNode>();
  let reading: ChainNode | undefined;

  const bestOf = (looks: readonly Look[]): Look | undefined => {
    const readable = readableOf(looks, reading);
    const [best] = readable;
    if (best?.state === 'ok') refused.clear();
    if (!best || !refused.has(best.node)) return best;
    const next = readable.find(({ node, state }) => state === 'elsewhere' && !refused.has(node));
    if (!next) refused.clear();
    return next ?? best;
  };

  return {
    node: () => reading,
    choose: (looks) => {
      const chosen = bestOf(looks);
      if (chosen) reading = chosen.node;
      return chosen;
    },
    leave: (looks, node) => {
      const nth = looks.findIndex((each) => each.node === node);
      reading = looks[(nth + 1) % looks.length]?.node;
    },
    refuse: () => {
      if (reading) refused.add(reading);
    },
  };
};
