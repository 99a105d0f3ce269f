import type { ChainNode } from '#chains';
import { type Look, readableOf } from './look.ts';

/** Which node is read. */
export type Reading = {
  readonly node: () => ChainNode | undefined;
  readonly choose: (looks: readonly Look[]) => Look | undefined;
  /** What this one fails at, the next turns ask others for that are as well, until they failed too. */
  readonly leave: (node: ChainNode) => void;
  /** A turn went through: what others failed at before may be over. */
  readonly stay: (node: ChainNode) => void;
  /** Too few bear out what it would give up: others on another branch than the applied one are read before it. */
  readonly refuse: () => void;
};

export const createReading = (): Reading => {
  const refused = new Set<ChainNode>();
  const left = new Set<ChainNode>();
  let reading: ChainNode | undefined;

  const bestOf = (readable: readonly Look[]): Look | undefined => {
    const [best] = readable;
    if (best?.state === 'ok') refused.clear();
    if (!best || !refused.has(best.node)) return best;
    const next = readable.find(({ node, state }) => state === 'elsewhere' && !refused.has(node));
    if (!next) refused.clear();
    return next ?? best;
  };

  /** Whose newest block is too old, or on another branch, is no better than one that fails at something. */
  const besideLeft = (best: Look | undefined, readable: readonly Look[]): Look | undefined => {
    if (!best || !left.has(best.node)) return best;
    const isAsWell = ({ state, isBehind }: Look): boolean => state === best.state && isBehind === best.isBehind;
    const next = () => readable.find((look) => isAsWell(look) && !left.has(look.node));
    const found = next();
    if (found) return found;
    left.clear();
    if (reading) left.add(reading);
    return next() ?? best;
  };

  return {
    node: () => reading,
    choose: (looks) => {
      const readable = readableOf(looks, reading);
      const chosen = besideLeft(bestOf(readable), readable);
      if (chosen) reading = chosen.node;
      return chosen;
    },
    leave: (node) => {
      left.add(node);
    },
    stay: (node) => {
      if (!left.has(node)) left.clear();
    },
    refuse: () => {
      if (reading) refused.add(reading);
    },
  };
};
