import type { ChainBlock } from '#chains';
import { areBlocksAgreed } from '../chain.ts';
import { type Turn, timeOf } from '../parts.ts';
import { paymentsOf } from '../rows/payments.ts';
import { agreedTime } from './agreed-time.ts';
import { countsNow, keyOf, matchKey } from './matches.ts';
import type { Found } from './record.ts';

/** Of what was told already it was told when that was seen. */
const areAllTold = async ({ pool, chain }: Turn, found: readonly Found[]): Promise<boolean> => {
  const txids = new Set(found.map(({ match }) => match.transaction.txid));
  const known = await paymentsOf(pool, chain.coin, [...txids]);
  const told = new Set(known.filter((payment) => !countsNow(chain, payment)).map(keyOf));
  return found.every(({ match }) => told.has(matchKey(match)));
};

/**
 * When what a block shows first was seen: when that was made. A clock that runs ahead is no witness: what is not known to
 * have been seen earlier was seen now at the latest.
 */
export const seenAt = async (turn: Turn, block: ChainBlock, height: number, found: readonly Found[]): Promise<Date> => {
  const isByOne = !areBlocksAgreed(turn.chain) || (await areAllTold(turn, found));
  const time = isByOne ? block.time : await agreedTime(turn, block, height);
  const now = timeOf(turn).getTime();
  return new Date(Math.min(time === undefined ? now : time * 1_000, now));
};
