import type { ChainBlock } from '#chains';
import { wellNodes } from '../nodes/well.ts';
import type { Turn } from '../parts.ts';
import { tipTime } from '../rows/tip.ts';
import { timeOfBlock } from './time-of-block.ts';
import { neededForGood } from './witnesses.ts';

/** What each of the others says of the block that it has there, those left out that hang. */
const saidByOthers = async ({ node, looks, failing, silent }: Turn, height: number) => {
  const others = wellNodes(looks, failing).filter((each) => each !== node);
  const said = await Promise.all(
    others.map((other) => silent.ask(other, async (each) => ({ time: await timeOfBlock(each, height) }))),
  );
  return said.filter((each) => each !== undefined);
};

/**
 * By when as many nodes as have to agree say that a block was made, in seconds since 1970: one alone could put it before
 * the end of a quote. Undefined where too few say it of a block that has not come to another one yet. Where they hang it is
 * the word of the node that is read, and no earlier than the block before where that was applied last.
 */
export const agreedTime = async (
  turn: Turn,
  { time, parent }: ChainBlock,
  height: number,
): Promise<number | undefined> => {
  const others = await saidByOthers(turn, height);
  const times = [time, ...others.flatMap((said) => said.time ?? [])].toSorted((one, other) => one - other);
  const agreed = times[neededForGood(turn) - 1];
  if (agreed !== undefined) return agreed;
  if (others.some((said) => said.time === undefined)) return undefined;
  return Math.max(time, (await tipTime(turn.pool, turn.chain.coin, parent)) ?? time);
};
