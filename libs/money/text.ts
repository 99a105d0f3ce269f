import { type Amount, amount } from './decimal.ts';

declare const canonical: unique symbol;

/** An amount as events keep it: plain digits, no exponent, no trailing zeros. Equal amounts have equal texts. */
export type DecimalText = string & { readonly [canonical]: true };

export const toText = (value: Amount): DecimalText => value.toFixed() as DecimalText;

/** For constants of the trade, such as the default caps. */
export const decimalText = (text: string): DecimalText => toText(amount(text));
