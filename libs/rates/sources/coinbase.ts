import type { Ticker } from '#money';
import { fetchJson } from './fetch-json.ts';
import { member, readPrice } from './read-answer.ts';
import type { RateSource } from './source.ts';

const TICKERS: readonly Ticker[] = ['BTC', 'LTC', 'ETH', 'DASH', 'BCH'];

export const coinbase = ({ baseUrl = 'https://api.coinbase.com' } = {}): RateSource => ({
  name: 'coinbase',
  tickers: TICKERS,
  price: async (ticker, signal) => {
    if (!TICKERS.includes(ticker)) throw new Error(`Coinbase has no price of ${ticker}`);
    const data = member(await fetchJson(`${baseUrl}/v2/prices/${ticker}-USD/spot`, signal), 'data');
    if (member(data, 'base') !== ticker || member(data, 'currency') !== 'USD') {
      throw new Error(`Coinbase answered with something else than ${ticker} in USD`);
    }
    return readPrice(member(data, 'amount'));
  },
});
