import { type ChainNode, isOfNode, NodeUnreachable, unless } from '#chains';

/** Asked again it says the same. */
const isDenied = (error: unknown): boolean => isOfNode(error) && !(error instanceof NodeUnreachable);

/** By its header, or else by itself; undefined where the node gives neither. */
export const timeOfBlock = async (node: ChainNode, height: number): Promise<number | undefined> => {
  const time = await unless(isDenied, node.timeAt(height));
  if (time !== undefined) return time;
  const hash = await unless(isDenied, node.hashAt(height));
  return hash === undefined ? undefined : (await unless(isDenied, node.block(hash)))?.time;
};

/** To be shown alone: nothing waits for it. */
export const shownTimeOf = async (node: ChainNode, height: number): Promise<number> =>
  (await unless(isOfNode, timeOfBlock(node, height))) ?? 0;
