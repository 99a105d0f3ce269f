import { createKeeping } from './keep-looks.ts';
import type { Failing } from './nodes/failing.ts';
import type { Lately } from './nodes/lately.ts';
import { createLook, type Look } from './nodes/look.ts';
import { createOutvoting } from './nodes/outvoted.ts';
import { createTeller } from './nodes/tell.ts';
import { timeOf, type WatchParts } from './parts.ts';
import { keptHash, readTip } from './rows/tip.ts';

/** All nodes of a chain as they are now, by what each says and by what the others do; it is kept, and what is news told. */
export const createLookAround = (parts: WatchParts, failing: Failing, lately: Lately) => {
  const { pool, chain, logger } = parts;
  const { coin } = chain;
  const now = (): Date => timeOf(parts);
  const look = createLook(chain, now);
  const outvoting = createOutvoting(chain, now);
  const keepLooks = createKeeping(parts);
  const tellNodes = createTeller(logger, coin);

  return async (): Promise<readonly Look[]> => {
    const stand = { tip: await readTip(pool, coin), hashAt: (height: number) => keptHash(pool, coin, height) };
    const looks = await outvoting(failing.among(await look(stand)));
    lately.note(looks);
    tellNodes(looks);
    await keepLooks(looks);
    return looks;
  };
};
