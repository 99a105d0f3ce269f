/** Decimals, currencies and their precision. No `number` ever adds money. */
export { type Currency, currencies, isBeyondSupply, isCurrency } from './currency.ts';
export { type Amount, amount, one, sum } from './decimal.ts';
export { isLegacyCurrency, type LegacyCurrency, legacyCurrencies } from './legacy-currency.ts';
export { fromJsonNumber, parseDecimal, plainDecimal } from './parse.ts';
export {
  cutCrypto,
  equalAtQuotePrecision,
  isSafeAtQuotePrecision,
  roundCryptoHalfUp,
  roundCryptoUp,
} from './rounding.ts';
export { type DecimalText, decimalText, toText } from './text.ts';
export { isTicker, type Ticker, tickers } from './ticker.ts';
export { toWireNumber, wireNumberOf } from './wire.ts';
