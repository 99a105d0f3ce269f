/** In the order in which the interface names them. */
export const legacyCurrencies = ['BTC', 'DASH', 'MARS', 'LTC', 'BCH'] as const;

export type LegacyCurrency = (typeof legacyCurrencies)[number];

export const isLegacyCurrency = (word: string): word is LegacyCurrency =>
  legacyCurrencies.some((currency) => currency === word);
