import type pg from 'pg';
import { PATIENCE_MS } from './patience.ts';
import { besideOf, quoted } from './table-names.ts';

const texts = async (client: pg.Client, query: string, tables: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ text: string }>(query, tables.map(quoted));
  return rows.map(({ text }) => text);
};

const DROPS = `
  SELECT format('DROP INDEX %s', indexrelid::regclass) AS text FROM pg_index
  WHERE indrelid = $1::regclass AND NOT indisunique AND NOT indisexclusion`;

/** What serves readers alone: nobody reads the table yet, and every row that is written would have to be put into each. */
export const dropIndexes = async (client: pg.Client, table: string): Promise<void> => {
  for (const text of await texts(client, DROPS, [besideOf(table)])) await client.query(text);
};

/** Alike are two of the same definition but for their names, as where they are renamed. */
const MISSING = `
  WITH indexes AS (
    SELECT indrelid, alike, row_number() OVER (PARTITION BY indrelid, alike ORDER BY indexrelid) AS nth
    FROM pg_index, regexp_replace(pg_get_indexdef(indexrelid), ' INDEX .*? USING ', ' INDEX USING ') AS alike
    WHERE indrelid IN ($1::regclass, $2::regclass))
  SELECT regexp_replace(alike, ' INDEX USING ', format(' INDEX ON %s USING ', $2::regclass)) AS text
  FROM (SELECT alike, nth FROM indexes WHERE indrelid = $1::regclass
        EXCEPT SELECT alike, nth FROM indexes WHERE indrelid = $2::regclass) AS missing
  ORDER BY alike, nth`;

/** Those of the live tables that are not beside. */
export const lackIndexes = async (client: pg.Client, tables: readonly string[]): Promise<boolean> => {
  for (const table of tables) if ((await texts(client, MISSING, [table, besideOf(table)])).length > 0) return true;
  return false;
};

/** Over the finished rows. Whoever goes on after a crash makes those that are not there yet. */
export const makeIndexes = async (client: pg.Client, tables: readonly string[], signal: AbortSignal): Promise<void> => {
  for (const table of tables)
    for (const text of await texts(client, MISSING, [table, besideOf(table)])) {
      if (signal.aborted) return;
      await client.query({ text, query_timeout: PATIENCE_MS } as pg.QueryConfig);
    }
};
