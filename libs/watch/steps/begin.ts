import { inTransaction } from '#platform/postgres';
import type { Look } from '../nodes/look.ts';
import { wellAmong } from '../nodes/well.ts';
import { ChainHeld, type Turn } from '../parts.ts';
import { askRescan } from '../rows/rescans.ts';
import { firstTip, readTip, type Tip } from '../rows/tip.ts';
import { type BlockOfMost, blockOfMost } from './block-of-most.ts';
import { blocksBefore } from './blocks-before.ts';
import { shownTimeOf } from './time-of-block.ts';
import { unseenFrom } from './unseen.ts';

/** The node that is read comes first: where each is believed alone it is that one. */
const wellOf = ({ node: read, looks, failing }: Turn): readonly Look[] =>
  wellAmong(looks, failing).toSorted((one, other) => Number(other.node === read) - Number(one.node === read));

/** So far may nodes be behind each other, or their newest blocks be of two branches. */
const APART = 20;

/**
 * The newest block that as many nodes have as have to agree. Of each it counts near its own head: one that names a first
 * block as its newest would find it with every other.
 */
const agreedBlock = async (turn: Turn, needed: number): Promise<BlockOfMost> => {
  const well = wellOf(turn);
  const heights = well.flatMap(({ head }) => head?.height ?? []);
  const highest = needed === 1 ? heights : heights.toSorted((one, other) => other - one);
  const start = highest[needed - 1] ?? -1;
  for (let height = start; height >= Math.max(0, start - APART); height -= 1) {
    const near = well.filter(({ head }) => head && head.height >= height && head.height <= height + APART);
    const nodes = near.map(({ node }) => node);
    const block = nodes.length < needed ? undefined : await blockOfMost(turn, nodes, height, needed);
    if (block) return block;
  }
  throw new ChainHeld(
    `nothing is watched yet: ${needed} of the nodes have to be well and to share their newest block, and too few do`,
    true,
  );
};

/** One node alone could name anything, and of one that only begins the first block is the newest. */
export const begin = async (turn: Turn): Promise<Tip> => {
  const { pool, chain, logger } = turn;
  const { coin } = chain;
  const needed = Math.max(1, chain.agree);
  const { nodes, ...block } = await agreedBlock(turn, needed);
  const [node] = nodes;
  // Whoever is a block late has those below all the same.
  const well = wellOf(turn).map((look) => look.node);
  const [time, before, from] = [
    await shownTimeOf(node, block.height),
    await blocksBefore(turn, well, block, needed),
    await unseenFrom(turn, well, block.height),
  ];
  const rescan = await inTransaction(pool, async (db) => {
    const isFirst = await firstTip(db, coin, { ...block, time }, before);
    return isFirst && from !== undefined ? askRescan(db, { chain: coin, from, to: block.height }) : undefined;
  });
  const tip = await readTip(pool, coin);
  if (!tip) throw new Error(`the first block of ${coin} was not kept`);
  logger.info({ chain: coin, height: tip.height, hash: tip.hash }, 'a chain is watched from here on');
  if (rescan !== undefined)
    logger.warn(
      { alert: 'chain_begun_late', chain: coin, rescan, from, to: block.height },
      'addresses were given out before a chain was watched: what came since is read again',
    );
  return tip;
};
