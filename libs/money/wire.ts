import type { Amount } from './decimal.ts';
import type { DecimalText } from './text.ts';

/**
 * The nearest double; JSON.stringify then writes the shortest text that reads back as the same double. This is the
 * very edge: nothing is computed with the result.
 */
export const toWireNumber = (value: Amount): number => Number(value.toFixed());

/** The same of an amount as events keep it: its plain digits need not become a decimal first. */
export const wireNumberOf = (text: DecimalText): number => Number(text);
