import { type BlockTip, type ChainBlock, type ChainNode, isOfNode, NodeUnreachable } from '#chains';
import { reasonOf } from '#platform/reason';
import { ChainHeld, type Turn } from '../parts.ts';
import { contradictionIn } from './check-gains.ts';
import { type Match, matchesIn } from './matches.ts';

/** What it pays of ours is asked once. */
export type Given = { readonly block: ChainBlock; readonly matches: readonly Match[]; readonly from: ChainNode };

/** Why a node does not give a block, or one that can be right. */
type Lack = {
  readonly from: ChainNode;
  readonly problem: string;
  readonly contradiction?: string;
  readonly mayPass?: boolean;
};

/** Those that failed lately come last: not every block waits for their time to be over. */
const inTurn = ({ node, others, failing }: Turn): readonly ChainNode[] => {
  const all = [node, ...others];
  return [...all.filter((each) => !failing.has(each)), ...all.filter(failing.has)];
};

/** A node may make up what it names: the next turn reads another where one is well. */
const doubt = ({ node, others, failing }: Turn, reason: string): void => {
  if (!failing.has(node) && others.some((each) => !failing.has(each))) failing.fails(node, new Error(reason));
};

type Asked = { readonly hash: string; readonly height: number; readonly prunedBelow: number };

const ask = async (turn: Turn, from: ChainNode, { hash, height, prunedBelow }: Asked): Promise<Given | Lack> => {
  const { pool, chain, node, failing } = turn;
  try {
    const block = await from.block(hash);
    if (!block) {
      const pruned = from === node && height < prunedBelow ? `: it keeps none below ${prunedBelow}` : '';
      return { from, problem: `${from.name} has not got it${pruned}` };
    }
    const matches = await matchesIn(pool, chain, block.transactions);
    const contradiction = await contradictionIn(pool, chain, block, matches);
    if (contradiction === undefined) return { block, matches, from };
    return { from, problem: `${from.name}: ${contradiction}`, contradiction };
  } catch (error) {
    if (!isOfNode(error)) throw error;
    failing.fails(from, error);
    return { from, problem: `${from.name}: ${reasonOf(error)}`, mayPass: error instanceof NodeUnreachable };
  }
};

/** Where all say the same against themselves, who of them says so tells nothing. */
const sentenceOf = (lacks: readonly Lack[], { hash, height }: Asked): string => {
  const [same, ...others] = new Set(lacks.map(({ contradiction }) => contradiction));
  if (same !== undefined && others.length === 0) return same;
  const problems = lacks.map(({ problem }) => problem);
  return `no node gives block ${height} (${hash}): ${problems.toSorted().join('; ')}`;
};

/**
 * A hash names the same block everywhere: where the node that is read lacks it, fails, or contradicts itself, any other may
 * give it. Who contradicts himself is wrong once another gives it without that: where all do, no one of them is.
 */
export const nextBlock = async (
  turn: Turn,
  hash: string,
  height: number,
  { prunedBelow }: BlockTip,
): Promise<Given> => {
  const asked = { hash, height, prunedBelow };
  const lacks: Lack[] = [];
  for (const from of inTurn(turn)) {
    const answer = await ask(turn, from, asked);
    if ('block' in answer) {
      turn.failing.works(from);
      for (const lack of lacks)
        if (lack.contradiction !== undefined) turn.failing.fails(lack.from, new Error(lack.contradiction));
      return answer;
    }
    lacks.push(answer);
  }
  const isNamedAlone = lacks.every(({ contradiction }) => contradiction === undefined);
  if (isNamedAlone && height >= prunedBelow) doubt(turn, `it names block ${height} (${hash}), which nobody has`);
  throw new ChainHeld(
    sentenceOf(lacks, asked),
    lacks.some(({ mayPass }) => mayPass === true),
  );
};
