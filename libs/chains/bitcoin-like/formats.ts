import type { BitcoinLikeCoin } from './networks.ts';
import type { Format } from './parse.ts';

/** In what the bytes of each differ from Bitcoin's. */
export const formats: Readonly<Record<BitcoinLikeCoin, Format>> = {
  BTC: { hasTruc: true },
  LTC: { hasExtension: true },
  DASH: { hasSpecialTransactions: true },
  MARS: { isMergeMined: true },
  BCH: { hasTokens: true },
};
