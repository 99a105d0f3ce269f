import { type ChainNode, isOfNode, NodeUnreachable } from '#chains';
import { inTransaction } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { KEPT_BLOCKS } from '../chain.ts';
import type { Look, NodeState } from '../nodes/look.ts';
import { ChainHeld, type Turn } from '../parts.ts';
import { type KeptBlock, keepInstead, keptHash, lockBranch, type Tip } from '../rows/tip.ts';
import { type Difference, readAgain } from './audit.ts';
import type { Agreement } from './witnesses.ts';

type Read = { readonly difference: Difference; readonly node: ChainNode; readonly hash: string };

/** Why no node gives it, who may have it of those that did not answer, and whether another may without them. */
type Lack = {
  readonly problem: string;
  readonly isLacking: boolean;
  readonly awaited: readonly Look[];
  readonly mayCome: boolean;
};

export type Asked = Read | Lack;

class TooFewHave extends ChainHeld {}

/** How every node was found last, and on which blocks those that are well are at one. */
export type Around = { readonly looks: readonly Look[]; readonly agreement: Agreement };

/** The node that is read counts as it is: a chain may be late, or its node, and its old blocks are what they were. */
const believers = async ({ looks, agreement }: Around, node: ChainNode, hash: string, height: number) => {
  const isCounted = looks.some((look) => look.node === node && look.state === 'ok');
  return (await agreement(hash, height)) + (isCounted ? 0 : 1);
};

const wellOf = ({ looks }: Around): readonly ChainNode[] =>
  looks.filter(({ state }) => state === 'ok').map(({ node }) => node);

/** So deep that nothing is kept of it. */
const agreedHash = async (turn: Turn, around: Around, node: ChainNode, height: number) => {
  const hash = await node.hashAt(height);
  // Another may be well again, or quicker, in a moment.
  if (hash !== undefined && (await believers(around, node, hash, height)) < turn.chain.agree)
    throw new TooFewHave(`too few nodes have block ${height} as ${hash}`, true);
  return hash;
};

/** What a node of another network says of a block is never right; of the others some day. */
const comesBack = (state: NodeState): boolean => state !== 'wrong' && state !== 'pruned';

/** A block of the branch that was applied; `kept` is undefined where the nodes have to agree on which that is. */
type Wanted = { readonly kept: string | undefined; readonly height: number };

const readFrom = async (
  turn: Turn,
  tip: Tip,
  around: Around,
  node: ChainNode,
  { kept, height }: Wanted,
): Promise<Read | undefined> => {
  const hash = kept ?? (await agreedHash(turn, around, node, height));
  if (hash === undefined) return undefined;
  const others = [turn.node, ...wellOf(around)];
  const difference = await readAgain(turn, tip, { node, others, hash, height, isSuspect: true });
  return difference && { difference, node, hash };
};

/** The one that is read first; who hangs is asked where no other gives it. */
const askedFor = ({ node, hanging }: Turn, around: Around): readonly ChainNode[] =>
  [...new Set([node, ...wellOf(around)])].toSorted(
    (one, other) => Number(hanging.has(one)) - Number(hanging.has(other)),
  );

/** From whichever node has it; a node that is not well is believed in nothing. */
const askEach = async (turn: Turn, tip: Tip, around: Around, wanted: Wanted): Promise<Asked> => {
  const unwell = around.looks.filter(({ node, state }) => node !== turn.node && state !== 'ok');
  const awaited = unwell.filter(({ state }) => comesBack(state));
  const problems = unwell.map(({ node, state }) => `${node.name} is ${state}`);
  const errors: Error[] = [];
  for (const node of askedFor(turn, around)) {
    try {
      const read = await readFrom(turn, tip, around, node, wanted);
      if (read) return read;
      problems.push(`${node.name} has not got it`);
    } catch (error) {
      if (!(error instanceof ChainHeld || isOfNode(error))) throw error;
      errors.push(error);
      if (error instanceof NodeUnreachable) awaited.push(...around.looks.filter((look) => look.node === node));
      problems.push(`${node.name}: ${reasonOf(error)}`);
    }
  }
  const mayPass = (error: Error): boolean =>
    error instanceof ChainHeld && error.mayPass && !(error instanceof TooFewHave && awaited.length > 0);
  const problem = `block ${wanted.height} cannot be read again: ${problems.join('; ')}`;
  return { problem, isLacking: errors.length === 0, awaited, mayCome: errors.some(mayPass) };
};

/**
 * Who has the newest block that was applied names the branch of that, whatever the chain does meanwhile. The node that is
 * read may be late, and never have had that one: another may just have gone away that did.
 */
const isOnBranch = async ({ chain, node, silent }: Turn, { hash, height }: Tip, around: Around): Promise<boolean> => {
  const isThere = (await silent.ask(node, ({ hashAt }) => hashAt(height))) === hash;
  const having = isThere ? believers(around, node, hash, height) : around.agreement(hash, height);
  return (await having) >= chain.agree;
};

/** As deep as the chain is walked back along. */
const keep = async (turn: Turn, tip: Tip, around: Around, block: KeptBlock): Promise<void> => {
  const { pool, chain } = turn;
  if (block.height <= tip.height - KEPT_BLOCKS[chain.coin] || !(await isOnBranch(turn, tip, around))) return;
  await inTransaction(pool, async (db) => {
    await lockBranch(db, chain.coin, tip);
    await keepInstead(db, chain.coin, block);
  });
};

/**
 * Whatever the nodes have meanwhile, it is the block that is kept. One that none of them has was never of that branch: an
 * older release believed one node alone where the chain began.
 */
export const askAll = async (turn: Turn, tip: Tip, around: Around, height: number): Promise<Asked> => {
  const kept = await keptHash(turn.pool, turn.chain.coin, height);
  const first = await askEach(turn, tip, around, { kept, height });
  const isUnknown = 'problem' in first && first.isLacking && kept !== undefined;
  const isMadeUp = isUnknown && (await isOnBranch(turn, tip, around));
  const asked = isMadeUp ? await askEach(turn, tip, around, { kept: undefined, height }) : first;
  if ('problem' in asked) return first;
  if (asked.hash !== kept) await keep(turn, tip, around, { hash: asked.hash, height });
  return asked;
};
