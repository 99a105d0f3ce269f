/** One signal as it was sent: nothing about it is certain. */
export type RawSignal = Readonly<Record<string, unknown>>;

/** Why a signal cannot be read; its message is the detail of the answer. */
export class Malformed extends Error {}

/** Only what the signal itself has, whatever its prototype says; null is as good as absent. */
export const given = (raw: RawSignal, name: string): unknown =>
  Object.hasOwn(raw, name) ? (raw[name] ?? undefined) : undefined;

/** In characters, as JSON Schema counts them. What follows is not counted: it may be long. */
export const beginningOf = (text: string, most: number): string =>
  Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('');

/** What a database keeps as it came: no NUL, no halves of surrogate pairs. */
export const isKeepable = (value: unknown, max: number): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  (value.length <= max || beginningOf(value, max) === value) &&
  value.isWellFormed() &&
  !value.includes('\0');
