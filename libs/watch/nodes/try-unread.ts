import type { ChainNode } from '#chains';
import type { Failing } from './failing.ts';
import type { Look } from './look.ts';

/** Of nodes that failed: whoever is read is asked for blocks all the same. */
export const tryUnread = async (
  looks: readonly Look[],
  failing: Failing,
  read: ChainNode | undefined,
): Promise<void> => {
  for (const { node, head } of looks) if (head && node !== read && failing.has(node)) await failing.tryAgain(node);
};
