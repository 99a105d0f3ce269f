import type { BlockTip, ChainNode } from '#chains';
import { withinTime } from '#platform/pause';
import { reasonOf } from '#platform/reason';
import type { WatchedChain } from '../chain.ts';

export type NodeState = 'ok' | 'unreachable' | 'wrong' | 'syncing' | 'stale' | 'pruned' | 'elsewhere';

/** Others that go on where a node ends, once that has lasted. */
export type Beyond = {
  readonly nodes: readonly ChainNode[];
  /** For whoever has to see which of them is right; it stays the same while they do. */
  readonly sentence: string;
};

/** A node as it was just found. */
export type Look = {
  readonly node: ChainNode;
  readonly state: NodeState;
  readonly problem: string | undefined;
  readonly head: BlockTip | undefined;
  /** Its newest block is below the one that was applied last, or below what as many agree on as are believed. */
  readonly isBehind?: boolean;
  /** Too few to be followed. */
  readonly beyond?: Beyond;
};

/** It did not answer at all. */
export const isAway = ({ state, head }: Look): boolean => state === 'unreachable' && head === undefined;

/** A node that hangs is as good as none. */
const PATIENCE_MS = 3_000;
/** What it falls short of is asked after that, and makes it no worse than it is. */
const ASIDE_MS = 1_000;

const ageOf = ({ time }: BlockTip, now: Date): number => now.getTime() - time * 1_000;

const minutes = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;

type Judged = Pick<Look, 'state' | 'problem'>;

const judge = (head: BlockTip, { headMaxAgeMs }: WatchedChain, now: Date): Judged => {
  if (head.isSyncing) return { state: 'syncing', problem: 'it says that it has blocks to fetch' };
  const age = ageOf(head, now);
  return age > headMaxAgeMs
    ? { state: 'stale', problem: `its newest block is ${minutes(age)} old, and may be ${minutes(headMaxAgeMs)}` }
    : { state: 'ok', problem: undefined };
};

/** How far the chain was followed, and which of its blocks stood at a height. */
export type Stand = {
  readonly tip: { readonly hash: string; readonly height: number } | undefined;
  readonly hashAt: (height: number) => Promise<string | undefined>;
};

/** On another branch than the applied one: it is right, or the others are; it counts for nothing until they agree. */
const compare = async (node: ChainNode, head: BlockTip, { tip, hashAt }: Stand): Promise<Judged | undefined> => {
  if (!tip || head.hash === tip.hash) return undefined;
  if (head.prunedBelow > tip.height + 1)
    return {
      state: 'pruned',
      problem: `it keeps no block below ${head.prunedBelow}, and ${tip.height + 1} is the next`,
    };
  const height = Math.min(head.height, tip.height);
  const applied = height === tip.height ? tip.hash : await hashAt(height);
  const there = await node.hashAt(height);
  return applied === undefined || there === applied
    ? undefined
    : { state: 'elsewhere', problem: `its block ${height} is ${there}, and not ${applied}` };
};

/** What one falls short of, another that is well tells. */
const madeUpFor = (looks: readonly Look[]): readonly Look[] =>
  looks.some(({ state, problem }) => state === 'ok' && problem === undefined)
    ? looks.map((look) => (look.state === 'ok' ? { ...look, problem: undefined } : look))
    : looks;

/** Checks of the network are asked until they are answered once, and again after a node was away: it may be another. */
export const createLook = (chain: WatchedChain, now: () => Date) => {
  const checked = new Set<ChainNode>();
  const short = new Map<ChainNode, string | undefined>();

  /** Of what it falls short of it is asked until somebody has put that right. */
  const shortOf = async (node: ChainNode, head: BlockTip): Promise<string | undefined> => {
    if (short.has(node) && short.get(node) === undefined) return undefined;
    try {
      short.set(node, await withinTime(node.shortcoming(head), ASIDE_MS));
    } catch {
      // The next look asks again.
    }
    return short.get(node);
  };

  const ask = async (node: ChainNode, stand: Stand): Promise<Look> => {
    if (!checked.has(node)) {
      const wrong = await node.check();
      if (wrong !== undefined) return { node, state: 'wrong', problem: wrong, head: undefined };
      checked.add(node);
    }
    const head = await node.tip();
    const judged = judge(head, chain, now());
    const apart = judged.state === 'ok' ? await compare(node, head, stand) : undefined;
    const isBehind = stand.tip !== undefined && head.height < stand.tip.height;
    return { node, head, isBehind, ...(apart ?? judged) };
  };

  const lookAt = async (node: ChainNode, stand: Stand): Promise<Look> => {
    try {
      const look = await withinTime(ask(node, stand), PATIENCE_MS);
      const { state, head } = look;
      return state === 'ok' && head ? { ...look, problem: await shortOf(node, head) } : look;
    } catch (error) {
      for (const known of [checked, short]) known.delete(node);
      return { node, state: 'unreachable', problem: reasonOf(error), head: undefined };
    }
  };

  return async (stand: Stand): Promise<readonly Look[]> =>
    madeUpFor(await Promise.all(chain.nodes.map((node) => lookAt(node, stand))));
};

const worth: Readonly<Record<NodeState, number>> = {
  ok: 0,
  elsewhere: 2,
  pruned: 3,
  stale: 4,
  syncing: 9,
  wrong: 9,
  unreachable: 9,
};

/** One that tells how it stands and failed at the rest is asked again before those that are worse. */
const worthOf = ({ state, head, isBehind = false }: Look): number => {
  if (state === 'unreachable' && head) return 1;
  return worth[state] + (isBehind && (state === 'ok' || state === 'elsewhere') ? 0.5 : 0);
};

/**
 * Those that may be read, the best first: the one that was read stays so until another is better, as while it is behind
 * what was applied. A node that syncs, or is none of ours, is not read.
 */
export const readableOf = (looks: readonly Look[], before: ChainNode | undefined): readonly Look[] => {
  const isOther = ({ node }: Look): number => (node === before ? 0 : 1);
  return looks
    .filter((look) => worthOf(look) < 9)
    .toSorted((one, other) => worthOf(one) - worthOf(other) || isOther(one) - isOther(other));
};
