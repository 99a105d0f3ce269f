import { type Amount, amount } from './decimal.ts';

export const plainDecimal = /^\d{1,40}(\.\d{1,40})?$/;

/** A decimal as the engine and the operators write it: digits, perhaps a point and digits. Anything else is undefined. */
export const parseDecimal = (text: unknown): Amount | undefined =>
  typeof text === 'string' && plainDecimal.test(text) ? amount(text) : undefined;

/** A JSON number means the shortest decimal that reads back as the same double, which is how it was written. */
export const fromJsonNumber = (value: number): Amount | undefined =>
  Number.isFinite(value) ? amount(String(value)) : undefined;

/**
 * The nearest double; JSON.stringify then writes the shortest text that reads back as the same double. This is the
 * very edge: nothing is computed with the result.
 */
export const toWireNumber = (value: Amount): number => Number(value.toFixed());

/** The same of an amount as events keep it: its plain digits need not become a decimal first. */
export const wireNumberOf = (text: DecimalText): number => Number(text);

declare const canonical: unique symbol;

/** An amount as events keep it: plain digits, no exponent, no trailing zeros. Equal amounts have equal texts. */
export type DecimalText = string & { readonly [canonical]: true };

export const toText = (value: Amount): DecimalText => value.toFixed() as DecimalText;

/** For constants of the trade, such as the default caps. */
export const decimalText = (text: string): DecimalText => toText(amount(text));
