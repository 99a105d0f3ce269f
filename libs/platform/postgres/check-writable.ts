import type pg from 'pg';
import type { Queryable } from './transaction.ts';

/** Known as what Postgres says itself where something is written: such a connection is not used again. */
class ReadOnly extends Error {
  readonly code = '25006';
}

type Row = { readonly standby: boolean; readonly readOnly: boolean };

/** By Postgres' own functions, and without a write: many ask it every second. */
const ASK = `
  SELECT pg_catalog.pg_is_in_recovery() AS standby,
         pg_catalog.current_setting('transaction_read_only') = 'on' AS "readOnly"`;

/** Why nothing can be written where this connection leads; undefined where something can. */
export const whyNotWritable = async (db: Queryable): Promise<string | undefined> => {
  const [row] = (await db.query<Row>(ASK)).rows;
  if (row?.standby) return 'it is a standby (in recovery): nothing can be written to it';
  if (row?.readOnly) return 'it is read-only (default_transaction_read_only): nothing can be written to it';
  return undefined;
};

/** Throws where nothing can be written to the database of this pool, and says why. */
export const checkWritable = async (pool: pg.Pool): Promise<void> => {
  const client = await pool.connect();
  let failure: unknown;
  try {
    const reason = await whyNotWritable(client);
    if (reason !== undefined) throw new ReadOnly(reason);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(failure as Error | undefined);
  }
};
