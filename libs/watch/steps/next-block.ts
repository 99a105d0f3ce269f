import { type BlockTip, type ChainBlock, type ChainNode, isOfNode, NodeUnreachable } from '#chains';
import { reasonOf } from '#platform/reason';
import { ChainHeld, SaidByOne, type Turn } from '../parts.ts';
import { contradictionIn } from './check-gains.ts';
import { doubt } from './doubt.ts';
import { type Match, matchesIn } from './matches.ts';
import { certainMined } from './proven.ts';

/** What it pays of ours is asked once. */
export type Given = { readonly block: ChainBlock; readonly matches: readonly Match[]; readonly from: ChainNode };

/** Why a node does not give a block, or one that can be right. */
type Lack = {
  readonly from: ChainNode;
  readonly problem: string;
  readonly contradiction?: string;
  /** It gives it, behind another block than the one that was applied last. */
  readonly isStray?: boolean;
  readonly mayPass?: boolean;
};

/** Those that failed lately come last: not every block waits for their time to be over. */
const inTurn = ({ node, others, failing }: Turn): readonly ChainNode[] => {
  const all = [node, ...others];
  return [...all.filter((each) => !failing.has(each)), ...all.filter(failing.has)];
};

/** `parent` was applied last. */
type Wanted = { readonly hash: string; readonly height: number; readonly parent: string };

type Asked = Wanted & { readonly prunedBelow: number };

const ask = async (
  turn: Turn,
  from: ChainNode,
  { hash, height, parent, prunedBelow }: Asked,
): Promise<Given | Lack> => {
  const { pool, chain, node, failing } = turn;
  try {
    const block = await from.block(hash);
    if (!block) {
      const pruned = from === node && height < prunedBelow ? `: it keeps none below ${prunedBelow}` : '';
      return { from, problem: `${from.name} has not got it${pruned}` };
    }
    if (block.parent !== parent) {
      const stray = `block ${height} (${hash}) is behind ${block.parent}, and not behind ${parent}`;
      return { from, problem: `${from.name}: ${stray}`, contradiction: stray, isStray: true };
    }
    const matches = await matchesIn(pool, chain, block.transactions);
    const contradiction = await contradictionIn(pool, chain, block, matches);
    if (contradiction === undefined) return { block, matches: await certainMined(turn, from, matches), from };
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

/** Another block there, or below it: what it named is of a branch that it has left. */
const hasLeft = async ({ node }: Turn, { hash, height, parent }: Wanted): Promise<boolean> =>
  (await node.hashAt(height - 1)) !== parent || (await node.hashAt(height)) !== hash;

/** Beside the node that is read. */
const namingIt = async ({ others, silent }: Turn, { hash, height }: Wanted): Promise<readonly ChainNode[]> => {
  const said = await Promise.all(
    others.map(async (other) => ({ other, hash: await silent.ask(other, ({ hashAt }) => hashAt(height)) })),
  );
  return said.filter((each) => each.hash === hash).map(({ other }) => other);
};

/** Whether the node that is read is the only one with it, or one of fewer than have to agree. */
const areFew = ({ chain, others }: Turn, naming: readonly ChainNode[]): boolean =>
  1 + naming.length < Math.min(Math.max(2, chain.agree), 1 + others.length);

/** What no node gives keeps the chain from going on where it is a block of it, and not the word of one. */
const refuse = async (turn: Turn, asked: Asked, lacks: readonly Lack[]): Promise<undefined> => {
  const { hash, height, prunedBelow } = asked;
  const strays = lacks.filter(({ isStray }) => isStray);
  // The next look sees what it thinks now.
  if (strays.length > 0 && (await hasLeft(turn, asked))) return undefined;
  const sentence = sentenceOf(lacks, asked);
  const isStray = strays.some(({ from }) => from === turn.node);
  const naming = isStray ? [] : await namingIt(turn, asked);
  const belying = strays.filter(({ from }) => naming.includes(from));
  for (const { from, contradiction = '' } of belying) doubt(turn, contradiction, from);
  const isOfFew = isStray || areFew(turn, naming);
  const isNamedAlone = lacks.every(({ contradiction }) => contradiction === undefined);
  const which = isNamedAlone ? `it names block ${height} (${hash}), which nobody has` : sentence;
  if (isStray || ((isNamedAlone || isOfFew) && height >= prunedBelow)) doubt(turn, which);
  if (isOfFew) throw new SaidByOne(sentence);
  throw new ChainHeld(
    sentence,
    lacks.some(({ mayPass }) => mayPass === true),
  );
};

/**
 * A hash names the same block everywhere: where the node that is read lacks it, fails, or contradicts itself, any other may
 * give it. Who contradicts himself is wrong once another gives it without that: where all do, no one of them is. Undefined
 * where the node that is read has another one meanwhile.
 */
export const nextBlock = async (turn: Turn, wanted: Wanted, { prunedBelow }: BlockTip): Promise<Given | undefined> => {
  const asked = { ...wanted, prunedBelow };
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
  return refuse(turn, asked, lacks);
};
