import { type ChainNode, isOfNode } from '#chains';
import { type Look, readableOf } from './look.ts';

/** Which node is read. */
export type Reading = {
  readonly node: () => ChainNode | undefined;
  readonly choose: (looks: readonly Look[]) => Look | undefined;
  /** What this one fails at, the next turns ask others for that are as well, until they failed too. */
  readonly leave: (node: ChainNode) => void;
  /** A turn failed: at once where that is of the node, else with the second turn in a row, since its words may be why. */
  readonly failed: (node: ChainNode, error: unknown) => void;
  /** A turn went through: what others failed at before may be over. */
  readonly stay: (node: ChainNode) => void;
  /** What the one that is read says is its word alone: the others are read before it, on whichever branch they are. */
  readonly refuse: () => void;
};

export const createReading = (): Reading => {
  const left = new Set<ChainNode>();
  /** Of those, whose word on the chain is theirs alone. */
  const refused = new Set<ChainNode>();
  let reading: ChainNode | undefined;
  let failing: ChainNode | undefined;

  /**
   * Whose newest block is too old is no better than one that fails at something. One on another branch than the applied one
   * is better than one whose word is its own: nothing is given up at its word alone, and the branch that was applied may be
   * that of the one that is left. Whoever merely fails at something has the branch of the others all the same, and what
   * waits on another one may be known there alone.
   */
  const besideLeft = (best: Look, readable: readonly Look[]): Look | undefined => {
    const isAsWell = ({ state, isBehind }: Look): boolean => state === best.state && isBehind === best.isBehind;
    const free = readable.filter(({ node }) => !left.has(node));
    const mayPart = best.state !== 'ok' || refused.has(best.node);
    return free.find(isAsWell) ?? (mayPart ? free.find(({ state }) => state === 'elsewhere') : undefined);
  };

  /** All had their turn, and it begins anew with the others. */
  const beginAnew = (): void => {
    left.clear();
    if (reading) left.add(reading);
    for (const node of refused) if (!left.has(node)) refused.delete(node);
  };

  const next = (readable: readonly Look[]): Look | undefined => {
    const [best] = readable;
    if (!best || !left.has(best.node)) return best;
    const found = besideLeft(best, readable);
    if (found) return found;
    beginAnew();
    return besideLeft(best, readable) ?? best;
  };

  return {
    node: () => reading,
    choose: (looks) => {
      const chosen = next(readableOf(looks, reading));
      if (chosen) reading = chosen.node;
      return chosen;
    },
    leave: (node) => {
      left.add(node);
    },
    failed: (node, error) => {
      if (isOfNode(error) || failing === node) left.add(node);
      failing = node;
    },
    stay: (node) => {
      failing = undefined;
      if (left.has(node)) return;
      left.clear();
      refused.clear();
    },
    refuse: () => {
      if (!reading) return;
      left.add(reading);
      refused.add(reading);
    },
  };
};
