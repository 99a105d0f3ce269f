import { type ChainNode, isStateGone } from '#chains';
import { type Turn, timeOf } from '../parts.ts';

const keyFor = ({ name }: ChainNode, hash: string): string => `${name} ${hash}`;

/** Longest of all an old block whose state it no longer has; what failed for a moment is asked again soon. */
const [REFUSED_MS, FIRST_MS] = [60_000, 1_000];

export const refusesIt = (turn: Turn, node: ChainNode, hash: string): boolean => {
  const { refused } = turn.shown;
  const now = timeOf(turn).getTime();
  for (const [key, { at }] of refused) if (now - at >= 2 * REFUSED_MS) refused.delete(key);
  const before = refused.get(keyFor(node, hash));
  return before !== undefined && now - before.at < before.restMs;
};

export const noteRefusal = (turn: Turn, node: ChainNode, hash: string, error: unknown): void => {
  const { refused } = turn.shown;
  const key = keyFor(node, hash);
  const tries = (refused.get(key)?.tries ?? 0) + 1;
  const restMs = isStateGone(error) ? REFUSED_MS : Math.min(FIRST_MS * 2 ** (tries - 1), REFUSED_MS);
  refused.set(key, { at: timeOf(turn).getTime(), tries, restMs });
};
