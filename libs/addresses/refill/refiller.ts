import type pg from 'pg';
import { type Currency, currencies } from '#money';
import type { Logger } from '#platform/logging';
import { refillStep, type Step } from './step.ts';

export type Marks = { readonly lowWater: number; readonly highWater: number };

export type RefillerOptions = Marks & {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** A pool that was empty has addresses again. */
  readonly onFilled: (currency: Currency) => void;
};

export type Refiller = {
  /** Looks at a pool, in the background. */
  readonly look: (currency: Currency) => void;
  /** An address was taken here: looks now and then, long before the pool can be empty. */
  readonly taken: (currency: Currency) => void;
  /** For a pool that is empty now: settles when a few are there, or there is no key. */
  readonly fillNow: (currency: Currency) => Promise<void>;
  readonly close: () => Promise<void>;
};

export const createRefiller = ({ pool, logger, lowWater, highWater, onFilled }: RefillerOptions): Refiller => {
  const running = new Map<Currency, Promise<void>>();
  const urgent = new Map<Currency, Promise<void>>();
  /** How many more may be taken here before the next look: half of what stood above the low-water mark. */
  const left = new Map<Currency, number>(currencies.map((currency) => [currency, 0]));
  let closing = false;

  const step = async (currency: Currency, below: number): Promise<Step | undefined> => {
    const done = await refillStep(pool, { currency, below, upTo: highWater });
    if (done && done.freeBefore === 0 && done.free > 0) onFilled(currency);
    return done;
  };

  const fill = async (currency: Currency): Promise<void> => {
    let done = await step(currency, lowWater);
    while (!closing && done && done.free > done.freeBefore) done = await step(currency, highWater);
    left.set(currency, Math.floor(((done?.free ?? lowWater) - lowWater) / 2));
  };

  const once = (under: Map<Currency, Promise<void>>, currency: Currency, work: () => Promise<void>): Promise<void> => {
    const current = under.get(currency) ?? work().finally(() => under.delete(currency));
    under.set(currency, current);
    return current;
  };

  const look = (currency: Currency): void => {
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
    fillNow: (currency) =>
      once(urgent, currency, async () => {
        await step(currency, lowWater);
      }),
    close: async () => {
      closing = true;
      await Promise.allSettled([...running.values(), ...urgent.values()]);
    },
  };
};
