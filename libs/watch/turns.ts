import type { ChainNode } from '#chains';
import type { Failing } from './nodes/failing.ts';
import type { Lately } from './nodes/lately.ts';
import { isAway, type Look, readableOf } from './nodes/look.ts';
import { createSilent } from './nodes/silent.ts';
import type { Turn, WatchParts } from './parts.ts';
import { createShownBlocks } from './steps/shown.ts';
import { createUntold } from './steps/untold.ts';

export type Turns = (node: ChainNode, looks: readonly Look[], stopping: AbortSignal) => Turn;

/** What one turn has learnt, the next ones know. */
export const createTurns = (
  parts: WatchParts,
  nodes: { readonly lately: Lately; readonly failing: Failing },
): Turns => {
  const memory: Pick<Turn, 'recent' | 'untold' | 'rivals' | 'listed' | 'shown'> = {
    ...{ recent: new Map(), untold: createUntold() },
    ...{ rivals: new Map(), listed: new Map(), shown: createShownBlocks() },
  };
  return (node, looks, stopping) => {
    const others = readableOf(looks, node).map((each) => each.node);
    const silent = createSilent(looks.filter(isAway).map((each) => each.node));
    const [reticent, mute, hanging] = [new Set<ChainNode>(), new Set<ChainNode>(), new Set<ChainNode>()];
    const rest = { ...memory, ...nodes, looks, silent, reticent, mute, hanging, stopping };
    return { ...parts, node, others: others.filter((each) => each !== node), ...rest };
  };
};
