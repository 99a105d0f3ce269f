import type { Amount } from './decimal.ts';

export const currencies = ['BTC', 'LTC', 'ETH'] as const;

export type Currency = (typeof currencies)[number];

/** All the coins that there will ever be; ETH has no such end: many times what there is. */
const supply: Readonly<Record<Currency, string>> = { BTC: '21000000', LTC: '84000000', ETH: '1000000000' };

export const isBeyondSupply = (currency: Currency, coins: Amount): boolean => coins.greaterThan(supply[currency]);

export const isCurrency = (word: string): word is Currency => currencies.some((currency) => currency === word);
