import { type ChainNode, isOfNode, unless } from '#chains';
import { isRefusal } from './shown.ts';

/** By its header, or else by itself; undefined where the node gives neither. */
export const timeOfBlock = async (node: ChainNode, height: number): Promise<number | undefined> => {
  const time = await unless(isRefusal, node.timeAt(height));
  if (time !== undefined) return time;
  const hash = await unless(isRefusal, node.hashAt(height));
  return hash === undefined ? undefined : (await unless(isRefusal, node.block(hash)))?.time;
};

/** To be shown alone: nothing waits for it. */
export const shownTimeOf = async (node: ChainNode, height: number): Promise<number> =>
  (await unless(isOfNode, timeOfBlock(node, height))) ?? 0;
