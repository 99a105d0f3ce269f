type Context = { readonly source?: string };
type Reviver = (key: string, value: unknown, context: Context) => unknown;

/** A number with a point is kept as it was written: it may be an amount, and a float has lost digits already. */
const asWritten: Reviver = (_, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined ? source : value;

/** Most answers have no such number, and are read at full speed. */
const hasFractions = (text: string): boolean => /[:[,]\s*-?\d+[.eE]|\d{16}/.test(text);

export const parseJson = (text: string): unknown =>
  text.length < 1_000_000 && hasFractions(text)
    ? JSON.parse(text, asWritten as Parameters<typeof JSON.parse>[1])
    : JSON.parse(text);
