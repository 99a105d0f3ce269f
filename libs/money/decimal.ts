import { Decimal } from 'decimal.js';

/**
 * The decimals of money: a clone of its own, so that nobody else's settings reach it. Eighty significant digits in
 * between leave no doubt about the eighth decimal of a quotient.
 */
const Money = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP, defaults: true });

export type Amount = Decimal;

/** Only for text that is known to be a decimal; what comes from outside goes through `parse.ts`. */
export const amount = (text: string): Amount => new Money(text);

export const zero: Amount = amount('0');
export const one: Amount = amount('1');

export const sum = (amounts: readonly Amount[]): Amount => amounts.reduce((total, next) => total.plus(next), zero);
