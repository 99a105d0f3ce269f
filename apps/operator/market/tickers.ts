import { shown } from '#door/errors';
import { isTicker, type Ticker } from '#money';

const LONGEST_SHOWN = 20;

export const tickerErrors = {
  unknown: (word: string) =>
    shown(404, `Unknown currency '${word.slice(0, LONGEST_SHOWN)}'`, { code: 'currency_unknown' }),
} as const;

/** In the path of a request; tickers are upper case. */
export const tickerIn = (word: string): Ticker => {
  if (!isTicker(word)) throw tickerErrors.unknown(word);
  return word;
};
