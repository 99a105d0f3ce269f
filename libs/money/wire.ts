import type { Amount } from './decimal.ts';

/**
 * The nearest double; JSON.stringify then writes the shortest text that reads back as the same double. This is the
 * very edge: nothing is computed with the result.
 */
export const toWireNumber = (value: Amount): number => Number(value.toFixed());
