import { ChainHeld, type Turn } from '../parts.ts';

/**
 * A node has a block at every height up to its head. One that names none there contradicts itself, as several behind one
 * name do of which one is late: no reorganisation may begin with that.
 */
export const hashBelowHead = async ({ node }: Turn, height: number): Promise<string> => {
  const hash = await node.hashAt(height);
  if (hash === undefined) throw new ChainHeld(`${node.name} names no block at height ${height}, below its head`, true);
  return hash;
};
