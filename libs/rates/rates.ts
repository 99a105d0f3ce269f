import type pg from 'pg';
import { type DecimalText, type Ticker, tickers } from '#money';
import type { Logger } from '#platform/logging';
import { remember } from '#platform/remembered';
import { type MarketTimes, openMarket } from './market/market.ts';
import { type NewPin, type PinOutcome, readPins, writePin } from './pins/pins.ts';
import type { RateSource } from './sources/source.ts';

export type RateRow = {
  readonly ticker: Ticker;
  readonly pinned: boolean;
  /** What is pinned; null: "unavailable", or nothing. */
  readonly usd: DecimalText | null;
  /** What a quote would use now. */
  readonly current: DecimalText | null;
};

export type Rates = {
  /** USD per coin: the pinned rate, else what the providers say. */
  readonly current: (ticker: Ticker) => Promise<DecimalText | 'unavailable'>;
  /** Null pins "unavailable". `bounded`: refused where it is too far from the last known price. */
  readonly pin: (ticker: Ticker, usd: DecimalText | null, actor: string, bounded?: boolean) => Promise<PinOutcome>;
  readonly unpin: (ticker: Ticker, actor: string) => Promise<void>;
  readonly list: () => Promise<readonly RateRow[]>;
};

export type RatesOptions = {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** None: pinned rates are the only ones. */
  readonly sources: readonly RateSource[];
  readonly times?: Partial<MarketTimes>;
};

export const openRates = ({ pool, logger, sources, times = {} }: RatesOptions): Rates => {
  const market = openMarket({ sources, logger, times });
  const pins = remember(() => readPins(pool));

  const current: Rates['current'] = async (ticker) => {
    const pinned = (await pins.get()).get(ticker);
    return pinned === undefined ? market(ticker) : (pinned ?? 'unavailable');
  };

  const rowOf = async (ticker: Ticker): Promise<RateRow> => {
    const [pinned, now] = [(await pins.get()).get(ticker), await current(ticker)];
    return { ticker, pinned: pinned !== undefined, usd: pinned ?? null, current: now === 'unavailable' ? null : now };
  };

  const boundsOf = async (ticker: Ticker) => {
    const told = await market(ticker);
    return { hasProviders: sources.length > 0, market: told === 'unavailable' ? undefined : told };
  };

  const write = async (pin: NewPin): Promise<PinOutcome> => {
    const outcome = await writePin(pool, pin);
    pins.forget();
    return outcome;
  };

  return {
    current,
    pin: async (ticker, usd, actor, bounded = false) =>
      write({ ticker, usd, actor, ...(bounded && { bounded: await boundsOf(ticker) }) }),
    unpin: async (ticker, actor) => {
      await write({ ticker, usd: undefined, actor });
    },
    list: () => Promise.all(tickers.map(rowOf)),
  };
};
