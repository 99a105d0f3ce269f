import { firstTaken } from '#addresses';
import type { ChainNode } from '#chains';
import { withinTime } from '#platform/pause';
import { ChainHeld, type Turn } from '../parts.ts';
import { firstOfLog } from '../rows/of-log.ts';
import { timeOfBlock } from './time-of-block.ts';

/** A miner's clock may be wrong by that much, and the chain takes it; of Ethereum blocks have their slots. */
const CLOCKS_MS = 7_200_000;
const SLOTS_MS = 60_000;

/** Of each of some thirty blocks: a node that hangs has the chain begin without it, and a slow one its say. */
const PATIENCE_MS = 6_000;

/**
 * The first block of a node whose time is not before that; above the last one that it has where all are before. A node of
 * Ethereum may have dropped its old blocks, and could not read them again either: one that it tells nothing of is before
 * the rest, unless it tells nothing of its newest one.
 */
const firstSince = async (
  { stopping }: Pick<Turn, 'stopping'>,
  node: ChainNode,
  moment: number,
  highest: number,
): Promise<number> => {
  const ask = (height: number): Promise<number | undefined> => {
    stopping.throwIfAborted();
    return withinTime(timeOfBlock(node, height), PATIENCE_MS);
  };
  const last = Math.min(highest, (await withinTime(node.tip(), PATIENCE_MS)).height);
  const tellsNone = (await ask(last)) === undefined;
  let [low, high] = [0, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const time = await ask(middle);
    const isBefore = time === undefined ? !tellsNone : time * 1_000 < moment;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * One that cannot say is left out, and where fewer say it than have to agree nothing begins yet: neither those that say too
 * little decide, by which all is read again, nor, which is worse, those that say too much.
 */
const agreedOf = async (agree: number, asked: readonly Promise<number>[]): Promise<number> => {
  const said = (await Promise.allSettled(asked)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
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
  turn: Turn,
  nodes: readonly ChainNode[],
  highest: number,
): Promise<number | undefined> => {
  const { pool, chain, liveSince } = turn;
  const { coin, agree } = chain;
  const taken = await firstTaken(pool, coin);
  if (!taken) return undefined;
  const live = await liveSince?.();
  // Of what the log knows a watcher told, however new this database is.
  const known = (await firstOfLog(pool, coin))?.getTime() ?? Number.POSITIVE_INFINITY;
  const since =
    Math.max(taken.getTime(), Math.min(live?.getTime() ?? 0, known)) - (coin === 'ETH' ? SLOTS_MS : CLOCKS_MS);
  const from = await agreedOf(
    Math.max(1, agree),
    nodes.map((node) => firstSince(turn, node, since, highest)),
  );
  return from > highest ? undefined : from;
};
