/** Which currencies are switched on for everyone, of both families. */
export { type Currencies, type CurrencySwitch, openCurrencies } from './currencies.ts';
export { migrations } from './migrations.ts';
