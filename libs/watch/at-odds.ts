import type { Failing } from './nodes/failing.ts';
import type { Look } from './nodes/look.ts';
import { createTooFew } from './nodes/too-few.ts';
import { wellAmong } from './nodes/well.ts';
import { timeOf, type WatchParts } from './parts.ts';
import { readTip } from './rows/tip.ts';

/** Nodes contradict the one that is read, or too few go on with it for anything to be confirmed: a sentence for a person. */
export const createAtOdds = (parts: WatchParts, failing: Failing) => {
  const { pool, chain } = parts;
  const tooFew = createTooFew(chain, () => timeOf(parts));
  return async ({ beyond }: Look, looks: readonly Look[]): Promise<string | undefined> => {
    const tip = chain.agree > 1 ? await readTip(pool, chain.coin) : undefined;
    const few = tip && tooFew(wellAmong(looks, failing), tip);
    return beyond?.sentence ?? few;
  };
};
