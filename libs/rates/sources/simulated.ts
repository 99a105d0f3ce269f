import { type DecimalText, decimalText, type Ticker, tickers } from '#money';
import type { RateSource } from './source.ts';

const PRICES: Readonly<Record<Ticker, DecimalText>> = {
  BTC: decimalText('60000'),
  LTC: decimalText('80'),
  ETH: decimalText('2500'),
  DASH: decimalText('30'),
  MARS: decimalText('0.05'),
  BCH: decimalText('400'),
};

/** Fixed, so that a newcomer can work out by hand what a quote must say. */
export const simulatedRates = (): RateSource => ({
  name: 'simulated',
  tickers,
  price: async (ticker) => PRICES[ticker],
});
