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

/** Any server answers that at once; over a connection that died without a word nothing ever comes. */
const ANSWER_MS = 2_000;

/** Why nothing can be written where this connection leads; undefined where something can. */
export const whyNotWritable = async (db: Queryable, answerMs?: number): Promise<string | undefined> => {
  const asked = { text: ASK, query_timeout: answerMs };
  const [row] = (await db.query<Row>(asked)).rows;
  if (row?.standby) return 'it is a standby (in recovery): nothing can be written to it';
  if (row?.readOnly) return 'it is read-only (default_transaction_read_only): nothing can be written to it';
  return undefined;
};

/** Throws where nothing can be written to the database of this pool, and says why; its connection is not used again then. */
export const checkWritable = async (pool: pg.Pool): Promise<void> => {
  const client = await pool.connect();
  let failure: unknown;
  try {
    const reason = await whyNotWritable(client, ANSWER_MS);
    if (reason !== undefined) throw new ReadOnly(reason);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(failure as Error | undefined);
  }
};
