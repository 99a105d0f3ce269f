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

/** Others that share a block above the newest one of a node: behind that, or on another branch that is longer. */
type Group = { readonly nodes: readonly ChainNode[]; readonly next: Block; readonly isElsewhere: boolean };

type Lasting = Group & Beyond & { readonly forMs: number };

const hashAt = async ({ node, head }: Candidate, height: number): Promise<string | undefined> =>
  height === head.height ? head.hash : withinTime(node.hashAt(height), PATIENCE_MS).catch(() => undefined);

/** Where a node cannot say what it has there, it votes for nobody. */
const groupsBeyond = async ({ head }: Candidate, all: readonly Candidate[]): Promise<readonly Group[]> => {
  const height = head.height + 1;
  const longer = all.filter((other) => other.head.height >= height);
  const asked = longer.map(async (other) => {
    const [there, hash] = await Promise.all([hashAt(other, head.height), hashAt(other, height)]);
    return there === undefined || hash === undefined ? [] : [{ node: other.node, there, hash }];
  });
  const answers = (await Promise.all(asked)).flat();
  return [...Map.groupBy(answers, ({ hash }) => hash)].map(([hash, those]) => ({
    nodes: those.map(({ node }) => node),
    next: { height, hash },
    isElsewhere: those.some(({ there }) => there !== head.hash),
  }));
};

const namesOf = ({ nodes }: Group): string => nodes.map(({ name }) => name).join(' and ');

const shown = ({ height, hash }: Block): string => `${height} (${hash})`;

const onAnother = ({ isElsewhere }: Group): string => (isElsewhere ? ' on another branch' : '');

const sentenceOf = ({ node, head }: Candidate, group: Group): string =>
  `${node.name} ends with block ${shown(head)}, and ${namesOf(group)} ${group.nodes.length > 1 ? 'go' : 'goes'} on with ${shown(group.next)}${onAnother(group)}: too few do so to be followed, and a person has to see which of them is right`;

/** What was seen when it began. */
type Begun = { readonly since: number; readonly names: string; readonly sentence: string };

/** A node that gets on, on the branch of the others, is merely late; on a branch of its own it may get on for ever. */
const keyOf = ({ head }: Candidate, { isElsewhere }: Group): string => (isElsewhere ? 'elsewhere' : head.hash);

/**
 * Which nodes end where others go on, though they seem well. As many as have to agree outvote such a one, where they are
 * no fewer than those that do not go on with them, and on another branch more than those: it is told of as stale, and
 * confirms nothing until it has their next block. Fewer are not followed, since one alone may make up what comes next. A
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
      return [group, { since: was?.since ?? at, names, sentence }];
    });
    begun.set(one.node, new Map(known.map(([group, its]) => [keyOf(one, group), its])));
    return known
      .map(([group, { since, sentence }]) => ({ ...group, sentence, forMs: at - since }))
      .filter(({ forMs }) => forMs >= LASTS_MS);
  };

  const isMost = (count: number, all: number): boolean => count >= Math.max(1, agree) && 2 * count > all;

  const outvotes = ({ nodes: { length }, isElsewhere }: Group, all: number): boolean =>
    isMost(length, all) || (!isElsewhere && length >= Math.max(1, agree) && 2 * length === all);

  const isOutvoted = ({ isElsewhere }: Group, { state }: Look, all: readonly Look[]): boolean =>
    isElsewhere && state === 'ok' && isMost(all.filter((each) => each.state === 'ok').length, all.length);

  const problemOf = ({ head }: Candidate, beyond: Lasting): string =>
    `its newest block is ${shown(head)}, and ${namesOf(beyond)} ${beyond.nodes.length > 1 ? 'have' : 'has'} had ${shown(beyond.next)}${onAnother(beyond)} for ${Math.round(beyond.forMs / 1_000)} s`;

  const judge = async (one: Candidate, all: readonly Candidate[]): Promise<Look> => {
    const most = lasting(one, await groupsBeyond(one, all)).toSorted((x, y) => y.nodes.length - x.nodes.length)[0];
    if (!most) return one;
    if (!outvotes(most, all.length)) return isOutvoted(most, one, all) ? one : { ...one, beyond: most };
    return one.state === 'ok' ? { ...one, state: 'stale', problem: problemOf(one, most) } : { ...one, isBehind: true };
  };

  return async (looks: readonly Look[]): Promise<readonly Look[]> => {
    const all = looks.filter(isCandidate);
    for (const node of begun.keys()) if (!all.some((each) => each.node === node)) begun.delete(node);
    return Promise.all(looks.map((look) => (isCandidate(look) ? judge(look, all) : look)));
  };
};
