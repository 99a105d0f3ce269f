import type { Failing } from './nodes/failing.ts';
import type { Look } from './nodes/look.ts';
import type { Reading } from './nodes/reading.ts';
import { createStalled, type Stalled } from './nodes/stalled.ts';
import { createTooFew } from './nodes/too-few.ts';
import { wellAmong } from './nodes/well.ts';
import { timeOf, type WatchParts } from './parts.ts';
import { readTip } from './rows/tip.ts';

export type AtOdds = {
  /**
   * Before a turn: the node that is read is left where it has most others stand still. Not where enough of them bear out
   * what holds the chain for a person: another that is read would say the same.
   */
  readonly leave: (looks: readonly Look[], isBorneOut: boolean) => Promise<void>;
  /**
   * After it: nodes contradict the one that is read, too few go on with it for anything to be confirmed, or enough go on
   * and nothing is applied. For a person.
   */
  readonly sentence: (chosen: Look, looks: readonly Look[]) => Promise<string | undefined>;
};

export const createAtOdds = (parts: WatchParts, failing: Failing, reading: Reading): AtOdds => {
  const { pool, chain } = parts;
  const now = () => timeOf(parts);
  const [tooFew, stalled] = [createTooFew(chain, now), createStalled(chain, now)];
  let last: Stalled | undefined;
  return {
    leave: async (looks, isBorneOut) => {
      const tip = await readTip(pool, chain.coin);
      last = tip && (await stalled(looks, tip));
      if (last?.isForOthers && !isBorneOut) reading.refuse();
    },
    sentence: async ({ beyond }, looks) => {
      const tip = await readTip(pool, chain.coin);
      const few = tip && chain.agree > 1 ? tooFew(wellAmong(looks, failing), tip) : undefined;
      return beyond?.sentence ?? few ?? (last?.at === tip?.hash ? last?.sentence : undefined);
    },
  };
};
