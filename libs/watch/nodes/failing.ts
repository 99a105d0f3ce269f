import { type ChainNode, isOfNode } from '#chains';
import { reasonOf } from '#platform/reason';
import type { Look } from './look.ts';

/** Nodes that tell how they stand, and fail at giving a block. */
export type Failing = {
  readonly fails: (node: ChainNode, error: unknown) => void;
  readonly works: (node: ChainNode) => void;
  readonly has: (node: ChainNode) => boolean;
  /** As they were found, and none of them well that failed. */
  readonly among: (looks: readonly Look[]) => readonly Look[];
  /** Asks one for its newest block: it works again when it gives that. */
  readonly tryAgain: (node: ChainNode) => Promise<void>;
};

export const createFailing = (): Failing => {
  const problems = new Map<ChainNode, string>();

  const fails: Failing['fails'] = (node, error) =>
    void problems.set(node, `it answers, and fails at giving a block: ${reasonOf(error)}`);

  const found = (look: Look): Look => {
    const { node, state } = look;
    // It was away, and may be another since.
    if (state === 'unreachable') problems.delete(node);
    const problem = problems.get(node);
    return problem !== undefined && state === 'ok' ? { ...look, state: 'unreachable', problem } : look;
  };

  return {
    fails,
    works: (node) => void problems.delete(node),
    has: (node) => problems.has(node),
    among: (looks) => looks.map(found),
    tryAgain: async (node) => {
      try {
        if (await node.block((await node.tip()).hash)) problems.delete(node);
      } catch (error) {
        if (!isOfNode(error)) throw error;
        fails(node, error);
      }
    },
  };
};
