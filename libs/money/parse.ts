import { type Amount, amount } from './decimal.ts';

export const plainDecimal = /^\d{1,40}(\.\d{1,40})?$/;

/** A decimal as the engine and the operators write it: digits, perhaps a point and digits. Anything else is undefined. */
export const parseDecimal = (text: unknown): Amount | undefined =>
  typeof text === 'string' && plainDecimal.test(text) ? amount(text) : undefined;

/** A JSON number means the shortest decimal that reads back as the same double, which is how it was written. */
export const fromJsonNumber = (value: number): Amount | undefined =>
  Number.isFinite(value) ? amount(String(value)) : undefined;
