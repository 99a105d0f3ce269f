import type pg from 'pg';
import { isTicker, type Ticker, tickers } from '#money';
import { remember } from '#platform/remembered';
import { readSwitches, writeSwitch } from './switches.ts';

export type CurrencySwitch = { readonly ticker: Ticker; readonly enabled: boolean };

export type Currencies = {
  /** Remembered: a change of another instance is in force within a second. An unknown ticker is never enabled. */
  readonly isEnabled: (ticker: string) => Promise<boolean>;
  readonly setEnabled: (ticker: Ticker, enabled: boolean, actor: string) => Promise<void>;
  readonly list: () => Promise<readonly CurrencySwitch[]>;
};

export const openCurrencies = ({ pool }: { readonly pool: pg.Pool }): Currencies => {
  const switches = remember(() => readSwitches(pool));
  return {
    isEnabled: async (ticker) => isTicker(ticker) && ((await switches.get()).get(ticker) ?? true),
    setEnabled: async (ticker, enabled, actor) => {
      await writeSwitch(pool, ticker, enabled, actor);
      switches.forget();
    },
    list: async () => {
      const known = await readSwitches(pool);
      return tickers.map((ticker) => ({ ticker, enabled: known.get(ticker) ?? true }));
    },
  };
};
