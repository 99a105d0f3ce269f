/** Decimals, currencies and their precision. No `number` ever adds money. */
export { type Currency, currencies, isBeyondSupply, isCurrency } from './currency.ts';
export { type Amount, amount, one, sum } from './decimal.ts';
export { isLegacyCurrency, type LegacyCurrency, legacyCurrencies } from './legacy-currency.ts';
export {
  cutCents,
  cutCrypto,
  equalAtQuotePrecision,
  isSafeAtQuotePrecision,
  roundCryptoHalfUp,
  roundCryptoUp,
} from './rounding.ts';
export {
  type DecimalText,
  decimalText,
  fromJsonNumber,
  parseDecimal,
  plainDecimal,
  toText,
  toWireNumber,
  wireNumberOf,
} from './text.ts';
export { isTicker, type Ticker, tickers } from './ticker.ts';
