import type pg from 'pg';
import type { Json } from '#event-log';
import type { Columns } from './row-change.ts';

/** Column → whether it takes JSON. */
export type CopiedColumns = ReadonlyMap<string, boolean>;

/** Which tables take their new rows by COPY. */
export type CopiedTables = ReadonlyMap<string, CopiedColumns>;

/** Arrays and rows have a notation of their own in COPY: tables with such columns take their rows by INSERT. */
const KINDS = `
  SELECT attname AS name, typname IN ('json', 'jsonb') AS json, typtype IN ('b', 'e') AND typcategory <> 'A' AS plain
  FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`;

export const copiedColumns = async (
  db: Pick<pg.Client, 'query'>,
  table: string,
): Promise<CopiedColumns | undefined> => {
  const { rows } = await db.query<{ name: string; json: boolean; plain: boolean }>(KINDS, [table]);
  return rows.every(({ plain }) => plain) ? new Map(rows.map(({ name, json }) => [name, json])) : undefined;
};

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (char) => ESCAPES[char] ?? char) : text;

const field = (value: Json | undefined, isJson: boolean): string => {
  if (value === null || value === undefined) return '\\N';
  return escaped(isJson || typeof value !== 'string' ? JSON.stringify(value) : value);
};

/**
 * Rows in COPY's text format, each value written as json_populate_recordset would take it from JSON. Undefined: there is
 * text in it that UTF-8 has no bytes for, which only JSON carries to the server that is to refuse it.
 */
export const copyText = (
  rows: readonly Columns[],
  names: readonly string[],
  columns: CopiedColumns,
): string | undefined => {
  const kinds = names.map((name) => ({ name, isJson: columns.get(name) === true }));
  const lines = rows.map((row) => `${kinds.map(({ name, isJson }) => field(row[name], isJson)).join('\t')}\n`);
  const text = lines.join('');
  return text.isWellFormed() ? text : undefined;
};
