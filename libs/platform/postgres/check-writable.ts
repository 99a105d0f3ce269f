import type pg from 'pg';

/** Known as what Postgres says itself where something is written: such a connection is not used again. */
class ReadOnly extends Error {
  readonly code = '25006';
}

type Row = { readonly standby: boolean; readonly readOnly: boolean };

/** By Postgres' own functions, and without a write: many ask it every second. */
const ASK = `
  SELECT pg_catalog.pg_is_in_recovery() AS standby,
         pg_catalog.current_setting('transaction_read_only') = 'on' AS "readOnly"`;

/** Throws where nothing can be written to the database of this pool, and says why. */
export const checkWritable = async (pool: pg.Pool): Promise<void> => {
  const client = await pool.connect();
  let failure: unknown;
  try {
    const [row] = (await client.query<Row>(ASK)).rows;
    if (row?.standby) throw new ReadOnly('it is a standby (in recovery): nothing can be written to it');
    if (row?.readOnly)
      throw new ReadOnly('it is read-only (default_transaction_read_only): nothing can be written to it');
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(failure as Error | undefined);
  }
};
