import { type ChainNode, isOfNode, unless } from '#chains';
import { ChainHeld, type Turn } from '../parts.ts';
import { markAllShown } from '../rows/marks.ts';
import { type Applied, type Beside, besideOf, type Reading, readingBy, sentenceOn } from './readings.ts';
import { knownOf, spelled } from './shown.ts';
import { neededForGood } from './witnesses.ts';

/** A node that prunes keeps the state of 128 blocks, which it takes to tell what contracts paid: soon no node gives it. */
const SO_DEEP = 100;

/**
 * What the node that is read showed when the block was taken from it is its word, where that is the same: an address may
 * have been given out since. Undefined: it has none.
 */
const shownThere = async (
  turn: Turn,
  node: ChainNode,
  applied: Applied,
  wanted: string,
): Promise<string | undefined> => {
  const known = knownOf(turn, node, applied.hash);
  const word = known && spelled(known.keys);
  if (word === wanted) return word;
  return (await unless(isOfNode, readingBy(turn, node, applied)))?.shown ?? word;
};

/** As many others as it takes, those first that were asked before. */
const wordsBeside = async (
  turn: Turn,
  reading: Reading,
  { node, others, ...applied }: Applied & Beside,
  isEnough: (same: number, count: number) => boolean,
) => {
  const well = others.filter((other) => !turn.failing.has(other));
  const asked = besideOf(turn, node, well);
  const isKnown = (other: ChainNode): boolean => knownOf(turn, other, applied.hash) !== undefined;
  let [same, count] = [1, 1];
  for (const other of [...asked.filter(isKnown), ...asked.filter((each) => !isKnown(each))]) {
    if (isEnough(same, count)) break;
    const shown = await shownThere(turn, other, applied, reading.shown);
    if (shown !== undefined) count += 1;
    if (shown === reading.shown) same += 1;
  }
  return { same, count };
};

/**
 * A block that is read a second time is passed by that, and nobody asks again whether it pays more: so one word is not
 * enough while others answer. Where none contradicts, more may come.
 */
export const checkShownAlike = async (
  turn: Turn,
  reading: Reading,
  asked: Applied & Beside & { readonly isDeep: boolean },
): Promise<void> => {
  const { pool, chain } = turn;
  if (reading.block.isProven || chain.agree <= 1) return;
  const needed = asked.isDeep ? 1 : neededForGood(turn);
  const isEnough = (same: number, count: number): boolean => same >= needed && 2 * same > count;
  const { same, count } = await wordsBeside(turn, reading, asked, asked.isDeep ? () => false : isEnough);
  if (same >= chain.agree && 2 * same > count) await markAllShown(pool, chain.coin, asked.hash);
  if (isEnough(same, count)) return;
  throw new ChainHeld(
    `${sentenceOn(asked.node, asked.height, reading)}; ${same} of ${count} nodes show it so, and ${needed} have to`,
    same === count,
  );
};

export const isSoDeep = (tip: Pick<Applied, 'height'>, { height }: Applied): boolean => tip.height - height >= SO_DEEP;
