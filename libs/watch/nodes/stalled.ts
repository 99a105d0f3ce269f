import type { BlockTip, ChainNode } from '#chains';
import type { WatchedChain } from '../chain.ts';
import type { Look } from './look.ts';
import { createSilent } from './silent.ts';

/** Longer than it takes to tell that the node that is read was left behind. */
const LEFT_AFTER_MS = 30_000;
const TOLD_AFTER_MS = 60_000;

type Applied = Pick<BlockTip, 'hash' | 'height'>;

/** Nodes share a block behind the one that was applied last, and nothing has been applied for long. */
export type Stalled = {
  /** The block that was applied last. */
  readonly at: string;
  /** They are most of all that are well, and the node that is read has had its time. */
  readonly isForOthers: boolean;
  /** For a person, once it lasts. */
  readonly sentence: string | undefined;
};

const goesOn = ({ state, head }: Look, { height }: Applied): boolean =>
  head !== undefined && head.height > height && (state === 'ok' || state === 'elsewhere');

/** The most of these that name the same block behind the tip. */
const sharing = async (above: readonly Look[], { height }: Applied): Promise<readonly ChainNode[]> => {
  const silent = createSilent();
  const said = await Promise.all(
    above.map(async ({ node }) => ({ node, hash: await silent.ask(node, ({ hashAt }) => hashAt(height + 1)) })),
  );
  const groups = [...Map.groupBy(said, ({ hash }) => hash)].filter(([hash]) => hash !== undefined);
  const [most] = groups.map(([, those]) => those).toSorted((one, other) => other.length - one.length);
  return (most ?? []).map(({ node }) => node);
};

const sentenceOf = (those: readonly ChainNode[], { hash, height }: Applied): string => {
  const names = those.map(({ name }) => name).join(' and ');
  return `${names} ${those.length > 1 ? 'go on' : 'goes on'} behind block ${height} (${hash}), and nothing was applied behind that for a minute: a person has to see which of the nodes keeps the chain from going on`;
};

/**
 * Whatever the node that is read says: where as many as have to agree go on with one block, and nothing is applied behind
 * the last one, that node is no use. What it says can be made up so that each look at it alone finds nothing wrong.
 */
export const createStalled = ({ agree }: Pick<WatchedChain, 'agree'>, now: () => Date) => {
  let stand: { readonly hash: string; readonly since: number; left: number } | undefined;

  const needed = Math.max(1, agree);

  const standing = (count: number, { hash }: Applied, time: number) => {
    if (count < needed) stand = undefined;
    else if (stand?.hash !== hash) stand = { hash, since: time, left: time };
    return stand;
  };

  return async (looks: readonly Look[], tip: Applied): Promise<Stalled | undefined> => {
    const time = now().getTime();
    const above = looks.filter((look) => goesOn(look, tip));
    const stood = standing(above.length, tip, time);
    // A block that just came is asked for by the turn.
    if (!stood || time - stood.since < LEFT_AFTER_MS) return undefined;
    const those = await sharing(above, tip);
    if (those.length < needed) return undefined;
    const all = looks.filter(({ state }) => state === 'ok' || state === 'elsewhere').length;
    const isForOthers = 2 * those.length > all && time - stood.left >= LEFT_AFTER_MS;
    if (isForOthers) stood.left = time;
    const isTold = time - stood.since >= TOLD_AFTER_MS;
    return { at: tip.hash, isForOthers, sentence: isTold ? sentenceOf(those, tip) : undefined };
  };
};
