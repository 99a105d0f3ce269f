import type { BlockTip } from '#chains';
import type { WatchedChain } from '../chain.ts';
import type { Look } from './look.ts';

/** Whoever is merely slower has a block within seconds of the others, or the next one of those that it lacks. */
const LASTS_MS = 60_000;

/** How far as many have come as have to agree, and since when they have got no further. */
type Stand = { readonly height: number; readonly since: number };

const NONE = -1;

const heightOf = ({ head }: Look): number => head?.height ?? NONE;

const namesOf = (looks: readonly Look[]): string => looks.map(({ node }) => node.name).join(' and ');

/**
 * Why nothing is confirmed though the node that is read goes on, once that has lasted: no other has what it names, be it
 * that they have lost their peers or that it makes blocks up. The sentence stays the same while they stand still.
 */
export const createTooFew = ({ agree }: Pick<WatchedChain, 'agree'>, now: () => Date) => {
  let stand: Stand | undefined;

  const sentenceOn = (well: readonly Look[], height: number): string => {
    if (well.length < agree)
      return `fewer nodes are well than have to agree (${agree}): nothing is confirmed until more of them are`;
    const behind = well.filter((look) => heightOf(look) <= height);
    const last = behind.find((look) => heightOf(look) === height)?.head;
    return `${namesOf(behind)} ${behind.length > 1 ? 'end' : 'ends'} with block ${height} (${last?.hash}) or before, and fewer nodes than have to agree (${agree}) have had what was applied behind it for a minute: nothing of that is confirmed until more have it, and a person has to see whether those have lost their peers`;
  };

  return (well: readonly Look[], tip: Pick<BlockTip, 'height'>): string | undefined => {
    const at = now().getTime();
    const height = well.map(heightOf).toSorted((one, other) => other - one)[agree - 1] ?? NONE;
    if (height >= tip.height) stand = undefined;
    else if (!stand || height > stand.height) stand = { height, since: at };
    return stand && at - stand.since >= LASTS_MS ? sentenceOn(well, height) : undefined;
  };
};
