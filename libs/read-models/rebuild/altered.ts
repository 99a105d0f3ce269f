import type pg from 'pg';
import { besideOf, quoted } from './table-names.ts';

/** Behind the lock on a live table: while it was filled beside, a migration had another shape for it. */
export class Altered extends Error {
  override readonly name = 'Altered';
}

/** What a table is for whoever writes or reads its rows. Where a column stands does not matter: one that went leaves a gap. */
const UNLIKE = `
  WITH parts AS (
    SELECT attrelid AS relation,
      jsonb_build_array(attname, atttypid, atttypmod, attcollation, attnotnull, attgenerated,
        pg_get_expr(adbin, adrelid)) AS part
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid IN ($1::regclass, $2::regclass) AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT conrelid, to_jsonb(pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE conrelid IN ($1::regclass, $2::regclass) AND contype = 'c')
  SELECT part FROM parts GROUP BY part HAVING count(DISTINCT relation) = 1 LIMIT 1`;

/** Taken as they are, they would take the other shape away for good: the migration is known to have been done. */
export const checkUnaltered = async (client: pg.Client, tables: readonly string[]): Promise<void> => {
  for (const table of tables) {
    const { rowCount } = await client.query(UNLIKE, [quoted(table), quoted(besideOf(table))]);
    if (rowCount !== 0) throw new Altered(`table ${table} was altered while it was filled beside`);
  }
};
