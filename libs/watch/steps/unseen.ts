import { firstTaken } from '#addresses';
import type { ChainNode } from '#chains';
import { withinTime } from '#platform/pause';
import { ChainHeld, type Turn } from '../parts.ts';
import { timeOfBlock } from './time-of-block.ts';

/** A miner's clock may be wrong by that much, and the chain takes it; of Ethereum blocks have their slots. */
const CLOCKS_MS = 7_200_000;
const SLOTS_MS = 60_000;

/** The first block of a node whose time is not before that, or not known; above the highest where all are before. */
const firstSince = async (node: ChainNode, moment: number, highest: number): Promise<number> => {
  let [low, high] = [0, highest + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const time = await timeOfBlock(node, middle);
    if (time !== undefined && time * 1_000 < moment) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Some thirty questions: a node that hangs has the chain begin without it. */
const PATIENCE_MS = 30_000;

/**
 * One that cannot say is left out, and where fewer say it than have to agree nothing begins yet: neither those that say too
 * little decide, by which all is read again, nor, which is worse, those that say too much.
 */
const agreedOf = async (agree: number, asked: readonly Promise<number>[]): Promise<number> => {
  const patient = asked.map((each) => withinTime(each, PATIENCE_MS));
  const said = (await Promise.allSettled(patient)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const known = said.toSorted((one, other) => one - other);
  const from = known.length < agree ? undefined : known[Math.max(0, Math.min(agree - 1, known.length - agree))];
  if (from !== undefined) return from;
  throw new ChainHeld(
    `nothing is watched yet: ${agree} of the nodes have to say when blocks came, since addresses were given out before, and too few do`,
    true,
  );
};

/**
 * From which block on an address may have been paid while nobody watched: the nodes may have been away when the first was
 * given out. Undefined where none was, or no block has come since.
 */
export const unseenFrom = async (
  { pool, chain: { coin, agree }, liveSince }: Turn,
  nodes: readonly ChainNode[],
  highest: number,
): Promise<number | undefined> => {
  const taken = await firstTaken(pool, coin);
  if (!taken) return undefined;
  const live = await liveSince?.();
  const since = Math.max(taken.getTime(), live?.getTime() ?? 0) - (coin === 'ETH' ? SLOTS_MS : CLOCKS_MS);
  const from = await agreedOf(
    Math.max(1, agree),
    nodes.map((node) => firstSince(node, since, highest)),
  );
  return from > highest ? undefined : from;
};
