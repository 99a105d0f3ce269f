import { shown } from '#door/errors';
import { type Currency, isCurrency, isTicker, type Ticker } from '#money';

const LONGEST_SHOWN = 20;

export const tickerErrors = {
  unknown: (word: string) => shown(404, `Unknown currency '${word.slice(0, LONGEST_SHOWN)}'`),
  notDerived: (ticker: Ticker) => shown(404, `Addresses of ${ticker} are not derived: add them to its pool`),
} as const;

/** In the path of a request; tickers are upper case. */
export const tickerIn = (word: string): Ticker => {
  if (!isTicker(word)) throw tickerErrors.unknown(word);
  return word;
};

/** One whose addresses are derived from extended public keys. */
export const derivedTickerIn = (word: string): Currency => {
  const ticker = tickerIn(word);
  if (!isCurrency(ticker)) throw tickerErrors.notDerived(ticker);
  return ticker;
};
