export const currencies = ['BTC', 'LTC', 'ETH'] as const;

export type Currency = (typeof currencies)[number];

export const isCurrency = (word: string): word is Currency => currencies.some((currency) => currency === word);
