import { firstTaken } from '#addresses';
import type { ChainNode } from '#chains';
import type { Turn } from '../parts.ts';
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

/**
 * One that cannot say is left out, unless none can. Fewer than have to agree may be wrong, and neither those that say too
 * little decide, by which all is read again, nor, which is worse, those that say too much.
 */
const agreedOf = async (agree: number, asked: readonly Promise<number>[]): Promise<number> => {
  const said = (await Promise.allSettled(asked)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const known = said.toSorted((one, other) => one - other);
  return known[Math.max(0, Math.min(agree - 1, known.length - agree))] ?? Promise.race(asked);
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
    agree,
    nodes.map((node) => firstSince(node, since, highest)),
  );
  return from > highest ? undefined : from;
};
