import type pg from 'pg';
import type { Ticker } from '#money';
import type { Notices } from './notices.ts';
import { createTakeAddress, type Taker } from './pool/take.ts';
import type { Refiller } from './refill/refiller.ts';

export type Taking = {
  /** The same deposit gets the same address again; undefined when none can be had now. */
  readonly take: (currency: Ticker, depositId: number) => Promise<string | undefined>;
  /** Waits for one; undefined when the time is over. */
  readonly takeWithin: (currency: Ticker, depositId: number, withinMs: number) => Promise<string | undefined>;
  /** The same for a transaction of the older interface. */
  readonly takeForTransaction: (
    currency: Ticker,
    transactionId: number,
    withinMs: number,
  ) => Promise<string | undefined>;
};

type TakingParts = Taking & {
  /** When nobody waits any more: all are let go once the notices are closed. */
  readonly settled: () => Promise<unknown>;
};

type Parts = { readonly pool: pg.Pool; readonly refiller: Refiller; readonly notices: Notices };

/** Another instance that fills the pool is not heard: it is seen. */
const LOOK_EVERY_MS = 200;

/** How often others may take all of what was derived for this one. */
const TRIES = 3;

export const createTaking = ({ pool, refiller, notices }: Parts): TakingParts => {
  const waiting = new Set<Promise<string | undefined>>();
  const takeAddress = createTakeAddress(pool);

  const takeOrDerive = async (currency: Ticker, taker: Taker, tries = TRIES): Promise<string | undefined> => {
    const { address, poolAvailable } = await takeAddress(currency, taker);
    if (address !== undefined) {
      refiller.taken(currency);
      return address;
    }
    if (!poolAvailable || tries === 0) return undefined;
    await refiller.fillNow(currency);
    return takeOrDerive(currency, taker, tries - 1);
  };

  const waitFor = async (currency: Ticker, taker: Taker, withinMs: number): Promise<string | undefined> => {
    const until = performance.now() + withinMs;
    while (true) {
      const address = await takeOrDerive(currency, taker);
      const leftMs = until - performance.now();
      if (address !== undefined || leftMs <= 0) return address;
      await notices.wait(currency, Math.min(LOOK_EVERY_MS, leftMs));
      if (notices.closed()) return undefined;
    }
  };

  const within = (currency: Ticker, taker: Taker, withinMs: number): Promise<string | undefined> => {
    const waits = waitFor(currency, taker, withinMs).finally(() => waiting.delete(waits));
    waiting.add(waits);
    return waits;
  };

  return {
    take: (currency, id) => takeOrDerive(currency, { column: 'deposit_id', id }),
    takeWithin: (currency, id, ms) => within(currency, { column: 'deposit_id', id }, ms),
    takeForTransaction: (currency, id, ms) => within(currency, { column: 'transaction_id', id }, ms),
    settled: () => Promise.allSettled(waiting),
  };
};
