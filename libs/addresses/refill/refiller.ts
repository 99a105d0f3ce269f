import { setImmediate as immediate } from 'node:timers/promises';
import type pg from 'pg';
import { type Ticker, tickers } from '#money';
import type { Logger } from '#platform/logging';
import { refillStep, type Step, type Wanted } from './step.ts';

/** Below the low one more are derived, up to the high one; a high one of 0: none at all. */
export type Marks = { readonly lowWater: number; readonly highWater: number };

/** Each costs two statements and a commit. */
const STEP = 80;
const MOST_AT_ONCE = 500;

export type RefillerOptions = Marks & {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** A pool that was empty has addresses again. */
  readonly onFilled: (currency: Ticker) => void;
};

export type Refiller = {
  /** Looks at a pool, in the background. */
  readonly look: (currency: Ticker) => void;
  /** An address was taken here: looks now and then, long before the pool can be empty. */
  readonly taken: (currency: Ticker) => void;
  /** For a taker that found the pool empty: settles when as many are there as had asked, or there is no key. */
  readonly fillNow: (currency: Ticker) => Promise<void>;
  readonly close: () => Promise<void>;
};

export const createRefiller = ({ pool, logger, lowWater, highWater, onFilled }: RefillerOptions): Refiller => {
  const running = new Map<Ticker, Promise<void>>();
  const urgent = new Map<Ticker, Promise<void>>();
  /** How many more may be taken here before the next look: half of what stood above the low-water mark. */
  const left = new Map<Ticker, number>(tickers.map((currency) => [currency, 0]));
  /** Who asked `fillNow` and is not counted in one that runs. */
  const asking = new Map<Ticker, number>();
  let closing = false;

  const step = async (wanted: Wanted): Promise<Step | undefined> => {
    const { currency } = wanted;
    const done = await refillStep(pool, wanted);
    if (done && done.freeBefore === 0 && done.free > 0) onFilled(currency);
    return done;
  };

  const fill = async (currency: Ticker): Promise<void> => {
    const more = { currency, upTo: highWater, atMost: STEP };
    let done = await step({ ...more, below: lowWater });
    while (!closing && done && done.free > done.freeBefore) done = await step({ ...more, below: highWater });
    left.set(currency, Math.floor(((done?.free ?? lowWater) - lowWater) / 2));
  };

  /** A burst is served in one go: were it a few at a time, all the others would ask in vain after each. */
  const fillFor = async (currency: Ticker): Promise<void> => {
    await immediate();
    const wanted = Math.min(asking.get(currency) ?? 0, MOST_AT_ONCE);
    asking.set(currency, 0);
    await step({ currency, below: wanted, upTo: wanted, atMost: wanted });
  };

  const once = (under: Map<Ticker, Promise<void>>, currency: Ticker, work: () => Promise<void>): Promise<void> => {
    const current = under.get(currency) ?? work().finally(() => under.delete(currency));
    under.set(currency, current);
    return current;
  };

  const look = (currency: Ticker): void => {
    if (closing || running.has(currency)) return;
    once(running, currency, () => fill(currency)).catch((error: unknown) => {
      if (!closing) logger.warn({ err: error, currency }, 'addresses cannot be derived now');
    });
  };

  return {
    look,
    taken: (currency) => {
      const remaining = (left.get(currency) ?? 0) - 1;
      left.set(currency, remaining);
      if (remaining < 0) look(currency);
    },
    fillNow: async (currency) => {
      if (highWater === 0) return;
      asking.set(currency, (asking.get(currency) ?? 0) + 1);
      await once(urgent, currency, () => fillFor(currency));
    },
    close: async () => {
      closing = true;
      await Promise.allSettled([...running.values(), ...urgent.values()]);
    },
  };
};
