import { type BlockTip, type ChainBlock, type ChainNode, isOfNode, NodeUnreachable } from '#chains';
import { reasonOf } from '#platform/reason';
import { ChainHeld, type Turn } from '../parts.ts';

type Given = { readonly block: ChainBlock; readonly from: ChainNode };

/** Those that failed lately come last: not every block waits for their time to be over. */
const inTurn = ({ node, others, failing }: Turn): readonly ChainNode[] => {
  const all = [node, ...others];
  return [...all.filter((each) => !failing.has(each)), ...all.filter(failing.has)];
};

/** A node may make up what it names: the next turn reads another where one is well. */
const doubt = ({ node, others, failing }: Turn, reason: string): void => {
  if (!failing.has(node) && others.some((each) => !failing.has(each))) failing.fails(node, new Error(reason));
};

/** A hash names the same block everywhere: where the node that is read lacks it, or fails, any other may give it. */
export const nextBlock = async (
  turn: Turn,
  hash: string,
  height: number,
  { prunedBelow }: BlockTip,
): Promise<Given> => {
  const problems: string[] = [];
  let mayPass = false;
  for (const from of inTurn(turn)) {
    try {
      const block = await from.block(hash);
      if (block) {
        turn.failing.works(from);
        return { block, from };
      }
      const pruned = from === turn.node && height < prunedBelow ? `: it keeps none below ${prunedBelow}` : '';
      problems.push(`${from.name} has not got it${pruned}`);
    } catch (error) {
      if (!isOfNode(error)) throw error;
      turn.failing.fails(from, error);
      mayPass ||= error instanceof NodeUnreachable;
      problems.push(`${from.name}: ${reasonOf(error)}`);
    }
  }
  if (height >= prunedBelow) doubt(turn, `it names block ${height} (${hash}), which nobody has`);
  throw new ChainHeld(`no node gives block ${height} (${hash}): ${problems.toSorted().join('; ')}`, mayPass);
};
