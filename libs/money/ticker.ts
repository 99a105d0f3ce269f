import { currencies } from './currency.ts';

/** Of both families: casino deposits know BTC, LTC and ETH; legacy transactions know BTC, LTC and the others. */
export const tickers = [...currencies, 'DASH', 'MARS', 'BCH'] as const;

export type Ticker = (typeof tickers)[number];

export const isTicker = (word: string): word is Ticker => tickers.some((ticker) => ticker === word);
