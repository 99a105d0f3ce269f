import { type DecimalText, type Ticker, tickers } from '#money';
import { fetchJson } from './fetch-json.ts';
import { member, readPrice } from './read-answer.ts';
import type { RateSource } from './source.ts';

const PAIRS: Readonly<Partial<Record<Ticker, string>>> = {
  BTC: 'XBTUSD',
  LTC: 'LTCUSD',
  ETH: 'ETHUSD',
  DASH: 'DASHUSD',
  BCH: 'BCHUSD',
};

/** The result has one member, under a name of Kraken's own (XXBTZUSD for XBTUSD); `c` is the last trade: price, volume. */
const lastTrade = (body: unknown): DecimalText => {
  const errors = member(body, 'error');
  if (Array.isArray(errors) && errors.length > 0) throw new Error(`Kraken says ${String(errors[0]).slice(0, 100)}`);
  const [pair, ...others] = Object.values(member(body, 'result') ?? {});
  if (others.length > 0) throw new Error('Kraken answered with more than the one pair');
  return readPrice(member(member(pair, 'c'), 0));
};

export const kraken = ({ baseUrl = 'https://api.kraken.com' } = {}): RateSource => ({
  name: 'kraken',
  tickers: tickers.filter((ticker) => PAIRS[ticker] !== undefined),
  price: async (ticker, signal) => {
    const pair = PAIRS[ticker];
    if (pair === undefined) throw new Error(`Kraken has no pair of ${ticker}`);
    return lastTrade(await fetchJson(`${baseUrl}/0/public/Ticker?pair=${pair}`, signal));
  },
});
