import type pg from 'pg';
import { besideOf, quoted } from './table-names.ts';

/** Alike are two indexes of the same definition but for their names; several such are taken in the order they came. */
const INDEX_NAMES = `
  WITH indexes AS (
    SELECT indrelid, indexrelid::regclass::text AS name, alike,
      row_number() OVER (PARTITION BY indrelid, alike ORDER BY indexrelid) AS nth
    FROM pg_index, regexp_replace(pg_get_indexdef(indexrelid), ' INDEX .*? USING ', ' INDEX USING ') AS alike
    WHERE indrelid IN ($1::regclass, $2::regclass))
  SELECT format('ALTER INDEX %s RENAME TO %s', fresh.name, live.name) AS text
  FROM indexes AS live JOIN indexes AS fresh USING (alike, nth)
  WHERE live.indrelid = $1::regclass AND fresh.indrelid = $2::regclass`;

const GRANTS = `
  SELECT format('GRANT %s ON %s TO %s%s', privilege_type, $2::text,
    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
    CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS text
  FROM pg_class, aclexplode(relacl) WHERE oid = $1::regclass AND grantee <> relowner`;

const texts = async (client: pg.Client, query: string, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ text: string }>(query, [quoted(table), quoted(besideOf(table))]);
  return rows.map(({ text }) => text);
};

const replace = async (client: pg.Client, table: string): Promise<void> => {
  const renames = await texts(client, INDEX_NAMES, table);
  for (const grant of await texts(client, GRANTS, table)) await client.query(grant);
  await client.query(`DROP TABLE ${quoted(table)}`);
  await client.query(`ALTER TABLE ${quoted(besideOf(table))} RENAME TO ${quoted(table)}`);
  for (const rename of renames) await client.query(rename);
};

/**
 * How long the tables are asked for. Whoever wants to read meanwhile waits behind this, so it is short and tried again.
 * Shorter, too, than Postgres waits before it looks for a deadlock: of two who block each other it is never the reader
 * who fails.
 */
const READERS_WAIT_MS = 250;

/** Until the transaction ends nobody reads, writes or alters them. */
export const lockTables = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  await client.query(`SET LOCAL lock_timeout = ${READERS_WAIT_MS}`);
  await client.query(`LOCK TABLE ${tables.map(quoted).join(', ')} IN ACCESS EXCLUSIVE MODE`);
};

/** In the transaction that switches: the tables beside become the live ones under their names. */
export const replaceTables = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  for (const table of tables) await replace(client, table);
};
