import { Decimal } from 'decimal.js';
import { type Amount, amount } from './decimal.ts';

const quoteDecimals = 8;
const mostUnits = amount(String(Number.MAX_SAFE_INTEGER));

/** What is asked for: never less than the price. */
export const roundCryptoUp = (crypto: Amount): Amount => crypto.toDecimalPlaces(quoteDecimals, Decimal.ROUND_UP);

/** What the caller named in crypto mode. */
export const roundCryptoHalfUp = (crypto: Amount): Amount =>
  crypto.toDecimalPlaces(quoteDecimals, Decimal.ROUND_HALF_UP);

/** What was received, at the quote's precision: ETH carries 18 decimals, those past the eighth never count. */
export const cutCrypto = (crypto: Amount): Amount => crypto.toDecimalPlaces(quoteDecimals, Decimal.ROUND_DOWN);

export const equalAtQuotePrecision = (left: Amount, right: Amount): boolean => cutCrypto(left).equals(cutCrypto(right));

/** Whole cents of what was credited: never more than that. */
export const cutCents = (usd: Amount): Amount => usd.toDecimalPlaces(2, Decimal.ROUND_DOWN);

/** Whether its count of 1e-8 units is an integer that a double holds exactly. */
export const isSafeAtQuotePrecision = (crypto: Amount): boolean =>
  cutCrypto(crypto).times(amount('1e8')).lessThanOrEqualTo(mostUnits);
