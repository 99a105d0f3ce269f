import type { Json } from '#event-log';

const byLength = (one: string, other: string): number =>
  Buffer.byteLength(one) - Buffer.byteLength(other) || Buffer.compare(Buffer.from(one), Buffer.from(other));

/** As jsonb is written: the shorter names first, and a space behind each colon and comma. */
const jsonbText = (value: Json | undefined): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`;
  const object = value as { readonly [name: string]: Json };
  const names = Object.keys(object).toSorted(byLength);
  return `{${names.map((name) => `${JSON.stringify(name)}: ${jsonbText(object[name])}`).join(', ')}}`;
};

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,6})?Z$/;

/** At UTC, which whoever reads it asks for. */
const timeText = (value: Json): string | undefined => {
  const [, day, time, fraction = ''] = INSTANT.exec(String(value)) ?? [];
  return day === undefined ? undefined : `${day} ${time}${fraction.replace(/\.?0+$/, '')}`;
};

const plainText = (value: Json): string | undefined => (typeof value === 'object' ? undefined : String(value));
const truth = (value: Json): string | undefined => (typeof value === 'boolean' ? String(value).slice(0, 1) : undefined);

const WRITERS: Readonly<Record<string, (value: Json) => string | undefined>> = {
  ...{ int4: plainText, int8: plainText, numeric: plainText, text: plainText, uuid: plainText },
  ...{ bool: truth, timestamptz: timeText, jsonb: jsonbText },
};

const SPECIAL = /[\t\n\v\f\r "\\(),]/;

const field = (text: string): string =>
  text === '' || SPECIAL.test(text) ? `"${text.replace(/["\\]/g, '$&$&')}"` : text;

/**
 * A value as the server writes it within a row. Undefined: it may be written in more than one way, and only the server
 * can compare it.
 */
export const fieldText = (value: Json | undefined, type: string | undefined): string | undefined => {
  if (value === null || value === undefined) return '';
  const text = WRITERS[type ?? '']?.(value);
  return text === undefined ? undefined : field(text);
};
