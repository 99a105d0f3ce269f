import type { BlockTip, ChainNode } from '#chains';
import { withinTime } from '#platform/pause';
import type { WatchedChain } from '../chain.ts';
import type { Beyond, Look } from './look.ts';

/** A node that is merely slower has a block within seconds of the others. */
const LASTS_MS = 20_000;
const PATIENCE_MS = 3_000;

type Candidate = Look & { readonly head: BlockTip };

/** Who is right is between those that are well, on whichever branch. */
const isCandidate = (look: Look): look is Candidate =>
  look.head !== undefined && (look.state === 'ok' || look.state === 'elsewhere');

type Block = Pick<BlockTip, 'hash' | 'height'>;

/** Others that share a block above the newest one of a node, or are on another branch. */
type Group = {
  readonly nodes: readonly ChainNode[];
  readonly next: Block;
  readonly isElsewhere: boolean;
  readonly isLonger: boolean;
};

type Lasting = Group & Beyond & { readonly forMs: number };

const hashAt = async ({ node, head }: Candidate, height: number): Promise<string | undefined> =>
  height === head.height ? head.hash : withinTime(node.hashAt(height), PATIENCE_MS).catch(() => undefined);

/** What another one has at the lower of the two heads, and what is there; where one cannot say, it votes for nobody. */
const meet = async (one: Candidate, other: Candidate) => {
  const height = Math.min(one.head.height, other.head.height);
  const [own, there] = await Promise.all([hashAt(one, height), hashAt(other, height)]);
  return own === undefined || there === undefined ? [] : [{ other, height, there, isElsewhere: own !== there }];
};

type Met = Awaited<ReturnType<typeof meet>>[number];

const aheadOf = async ({ head }: Candidate, those: readonly Met[]): Promise<readonly Group[]> => {
  const height = head.height + 1;
  const longer = those.map(({ other }) => other).filter((other) => other.head.height >= height);
  const nexts = await Promise.all(longer.map(async (other) => ({ other, hash: await hashAt(other, height) })));
  return [...Map.groupBy(nexts, ({ hash }) => hash)].flatMap(([hash, group]) => {
    const nodes = group.map(({ other }) => other.node);
    return hash === undefined ? [] : [{ nodes, next: { height, hash }, isElsewhere: false, isLonger: true }];
  });
};

/** By their names, so that who has a block first changes no sentence. */
const inOrder = (nodes: readonly ChainNode[]): readonly ChainNode[] =>
  nodes.toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** The longest of a branch speaks for it, and shorter ones are with each that has their newest block. */
const branchesOf = async ({ head }: Candidate, those: readonly Met[]): Promise<readonly Group[]> => {
  const leaders: Met[] = [];
  const groups = new Map<Met, ChainNode[]>();
  for (const met of those.toSorted((x, y) => y.height - x.height || y.other.head.height - x.other.head.height)) {
    const theirs = await Promise.all(leaders.map(({ other }) => hashAt(other, met.height)));
    const shared = leaders.filter((_, nth) => theirs[nth] === met.there);
    for (const leader of shared) groups.get(leader)?.push(met.other.node);
    if (shared.length > 0) continue;
    leaders.push(met);
    groups.set(met, [met.other.node]);
  }
  return Promise.all(
    leaders.map(async (leader): Promise<Group> => {
      const isLonger = leader.other.head.height > head.height;
      const above = isLonger ? await hashAt(leader.other, head.height + 1) : undefined;
      const next = above ? { height: head.height + 1, hash: above } : { height: leader.height, hash: leader.there };
      return { nodes: inOrder(groups.get(leader) ?? []), next, isElsewhere: true, isLonger };
    }),
  );
};

/** What is no longer than the branch of a node counts only where that one's side is the smaller one. */
const groupsBeyond = async (one: Candidate, all: readonly Candidate[]) => {
  const others = all.filter(({ node }) => node !== one.node);
  const met = (await Promise.all(others.map((other) => meet(one, other)))).flat();
  const [elsewhere, beside] = [met.filter((each) => each.isElsewhere), met.filter((each) => !each.isElsewhere)];
  const own = 1 + beside.length;
  const branches = await branchesOf(one, elsewhere);
  const counted = branches.filter(({ isLonger }) => isLonger || elsewhere.length > own);
  return { own, groups: [...(await aheadOf(one, beside)), ...counted] };
};

const namesOf = ({ nodes }: Group): string => nodes.map(({ name }) => name).join(' and ');

const shown = ({ height, hash }: Block): string => `${height} (${hash})`;

const onAnother = ({ isElsewhere }: Group): string => (isElsewhere ? ' on another branch' : '');

const verbOf = ({ nodes, isLonger }: Group): string => {
  const [goes, has] = nodes.length > 1 ? ['go on with', 'have'] : ['goes on with', 'has'];
  return isLonger ? goes : has;
};

const sentenceOf = ({ node, head }: Candidate, group: Group): string =>
  `${node.name} ends with block ${shown(head)}, and ${namesOf(group)} ${verbOf(group)} ${shown(group.next)}${onAnother(group)}: too few do so to be followed, and a person has to see which of them is right`;

/** What was seen when it began. */
type Begun = { readonly since: number; readonly names: string; readonly sentence: string };

const ELSEWHERE = 'elsewhere ';

/** A node that gets on, on the branch of the others, is merely late; on a branch of its own it may get on for ever. */
const keyOf = ({ head }: Candidate, group: Group): string =>
  group.isElsewhere ? `${ELSEWHERE}${namesOf(group)}` : head.hash;

/** Who is elsewhere may become more, which begins nothing anew. */
const sinceOf = (before: ReadonlyMap<string, Begun> | undefined, key: string): number | undefined => {
  const is = key.startsWith(ELSEWHERE) ? (each: string) => each.startsWith(ELSEWHERE) : (each: string) => each === key;
  const sinces = [...(before ?? [])].flatMap(([each, { since }]) => (is(each) ? since : []));
  return sinces.length > 0 ? Math.min(...sinces) : undefined;
};

/**
 * Which nodes end where others go on, though they seem well. As many as have to agree outvote such a one, where they are
 * no fewer than those that do not go on with them, and on another branch more than those: it is told of as stale, and
 * confirms nothing until it has their next block. How long a branch is says little, since blocks cost nothing to name: one
 * that is no longer counts as well where more nodes are off than on the branch of the node. Fewer are not followed, since one alone may make up what comes next. A
 * branch beside the one that most have, and that was applied, is nothing that a person has to judge.
 */
export const createOutvoting = ({ agree }: Pick<WatchedChain, 'agree'>, now: () => Date) => {
  const begun = new Map<ChainNode, ReadonlyMap<string, Begun>>();

  const lasting = (one: Candidate, groups: readonly Group[]): readonly Lasting[] => {
    const at = now().getTime();
    const before = begun.get(one.node);
    const known = groups.map((group): readonly [Group, Begun] => {
      const was = before?.get(keyOf(one, group));
      const names = namesOf(group);
      const sentence = was?.names === names ? was.sentence : sentenceOf(one, group);
      return [group, { since: sinceOf(before, keyOf(one, group)) ?? at, names, sentence }];
    });
    begun.set(one.node, new Map(known.map(([group, its]) => [keyOf(one, group), its])));
    return known
      .map(([group, { since, sentence }]) => ({ ...group, sentence, forMs: at - since }))
      .filter(({ forMs }) => forMs >= LASTS_MS);
  };

  const isMost = (count: number, all: number): boolean => count >= Math.max(1, agree) && 2 * count > all;

  const outvotes = ({ nodes: { length }, isElsewhere }: Group, all: number): boolean =>
    isMost(length, all) || (!isElsewhere && length >= Math.max(1, agree) && 2 * length === all);

  const problemOf = ({ head }: Candidate, beyond: Lasting): string =>
    `its newest block is ${shown(head)}, and ${namesOf(beyond)} ${beyond.nodes.length > 1 ? 'have' : 'has'} had ${shown(beyond.next)}${onAnother(beyond)} for ${Math.round(beyond.forMs / 1_000)} s`;

  const judge = async (one: Candidate, all: readonly Candidate[]): Promise<Look> => {
    const { own, groups } = await groupsBeyond(one, all);
    const against = lasting(one, groups).toSorted((x, y) => y.nodes.length - x.nodes.length);
    const most = against.find((group) => outvotes(group, all.length));
    const beyond = against.find(({ isElsewhere }) => !(isElsewhere && isMost(own, all.length)));
    if (!most) return beyond ? { ...one, beyond } : one;
    return one.state === 'ok' ? { ...one, state: 'stale', problem: problemOf(one, most) } : { ...one, isBehind: true };
  };

  return async (looks: readonly Look[]): Promise<readonly Look[]> => {
    const all = looks.filter(isCandidate);
    for (const node of begun.keys()) if (!all.some((each) => each.node === node)) begun.delete(node);
    return Promise.all(looks.map((look) => (isCandidate(look) ? judge(look, all) : look)));
  };
};
