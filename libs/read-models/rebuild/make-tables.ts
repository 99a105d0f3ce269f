import type pg from 'pg';
import { dropIndexes } from './indexes.ts';
import { besideOf, quoted } from './table-names.ts';

/** A table that cannot be made a second time with all that belongs to it. */
export class NotRebuildable extends Error {
  override readonly name = 'NotRebuildable';
}

/** What `LIKE` leaves out, or would share with the table that is dropped in the end. */
const HINDRANCES = `
  SELECT 'a trigger ' || tgname AS what FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal
  UNION ALL SELECT 'a foreign key ' || conname FROM pg_constraint
    WHERE contype = 'f' AND $1::regclass IN (conrelid, confrelid)
  UNION ALL SELECT 'a sequence behind column ' || attname
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = $1::regclass AND attnum > 0
      AND (attidentity <> '' OR pg_get_expr(adbin, adrelid) LIKE 'nextval(%')
  UNION ALL SELECT DISTINCT 'a view ' || ev_class::regclass
    FROM pg_depend JOIN pg_rewrite ON pg_rewrite.oid = objid AND classid = 'pg_rewrite'::regclass
    WHERE refclassid = 'pg_class'::regclass AND refobjid = $1::regclass`;

const checkRebuildable = async (client: pg.Client, table: string): Promise<void> => {
  const { rows } = await client.query<{ what: string }>(HINDRANCES, [quoted(table)]);
  if (rows.length > 0)
    throw new NotRebuildable(
      `table ${table} has ${rows.map(({ what }) => what).join(', ')}: the tables of a projection can have none`,
    );
};

const storageOf = async (client: pg.Client, table: string): Promise<string> => {
  const { rows } = await client.query<{ options: string | null }>(
    "SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE oid = $1::regclass",
    [quoted(table)],
  );
  const options = rows[0]?.options;
  return options ? ` WITH (${options})` : '';
};

export const dropTables = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  for (const table of tables) await client.query(`DROP TABLE IF EXISTS ${quoted(besideOf(table))}`);
};

/** Empty ones beside the live ones, with the same columns and checks, and of the indexes those that refuse rows. */
export const makeTables = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  await dropTables(client, tables);
  for (const table of tables) {
    await checkRebuildable(client, table);
    const storage = await storageOf(client, table);
    await client.query(`CREATE TABLE ${quoted(besideOf(table))} (LIKE ${quoted(table)} INCLUDING ALL)${storage}`);
    await dropIndexes(client, table);
  }
};
