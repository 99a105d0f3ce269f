import { timeOf, type WatchParts } from './parts.ts';
import { holdTip, readTip, releaseTip } from './rows/tip.ts';

export type Holding = {
  /** Nothing goes on until somebody or something has put this right. */
  readonly hold: (reason: string) => Promise<void>;
  /** The next turn may do better: held once it has lasted, for what was in the way then. */
  readonly wait: (reason: string) => Promise<void>;
  readonly release: () => Promise<void>;
  /** Nobody is there to be waited for; that is told of the nodes. */
  readonly forget: () => void;
};

/** Within which an operator hears that a node is not well. */
const LASTS_MS = 30_000;

/** What keeps a chain from going on while its nodes seem well, whatever it is. */
export const createHolding = (parts: WatchParts): Holding => {
  const { pool, logger, chain } = parts;
  let since: number | undefined;
  let isTold = false;

  const hold = async (reason: string): Promise<void> => {
    // Where it has not begun there is no row that keeps the reason.
    if ((await holdTip(pool, chain.coin, reason)) || !(await readTip(pool, chain.coin)))
      logger.error({ alert: 'chain_held', chain: chain.coin, reason }, 'a chain does not go on');
  };

  return {
    hold,
    wait: async (reason) => {
      const now = timeOf(parts).getTime();
      since ??= now;
      if (isTold || now - since < LASTS_MS) return;
      await hold(reason);
      isTold = true;
    },
    release: async () => {
      since = undefined;
      isTold = false;
      await releaseTip(pool, chain.coin);
    },
    forget: () => {
      since = undefined;
    },
  };
};
