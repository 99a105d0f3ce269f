import { ChainHeld, SaidByOne, type Turn } from '../parts.ts';
import { doubt } from './doubt.ts';

/**
 * A node has a block at every height up to its head. One that goes on naming none there contradicts itself, as several
 * behind one name do of which one is late: it is left for another. Undefined where its head is below that by now.
 */
export const hashUpToHead = async (turn: Turn, height: number): Promise<string | undefined> => {
  const { node } = turn;
  const hash = await node.hashAt(height);
  if (hash !== undefined) return hash;
  if ((await node.tip()).height < height) return undefined;
  const again = await node.hashAt(height);
  if (again !== undefined) return again;
  doubt(turn, `it names no block at height ${height}, below its head`);
  throw new SaidByOne(`${node.name} names no block at height ${height}, below its head`);
};

/** No reorganisation may begin with a block that is not named. */
export const hashBelowHead = async (turn: Turn, height: number): Promise<string> => {
  const hash = await hashUpToHead(turn, height);
  if (hash === undefined) throw new ChainHeld(`${turn.node.name} names no block at height ${height} any more`, true);
  return hash;
};
