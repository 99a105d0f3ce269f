import pg from 'pg';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

export type Taken = { readonly address: string | undefined; readonly poolAvailable: boolean };

type Row = { readonly address: string | null; readonly poolAvailable: boolean };

/**
 * The address that the deposit has, else the first free one. Takers at the same time step over each other's rows, so
 * none waits and no address goes out twice.
 */
const TAKE = `
  WITH mine AS (
    SELECT address FROM pool_addresses WHERE deposit_id = $2
  ), pool AS (
    SELECT COALESCE((SELECT available FROM address_pools WHERE currency = $1), true) AS available
  ), chosen AS (
    SELECT id FROM pool_addresses
    WHERE currency = $1 AND deposit_id IS NULL AND NOT retired
      AND (SELECT available FROM pool) AND NOT EXISTS (SELECT FROM mine)
    ORDER BY source, id LIMIT 1 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE pool_addresses p SET deposit_id = $2, taken_at = now() FROM chosen WHERE p.id = chosen.id
    RETURNING p.address
  )
  SELECT COALESCE((SELECT address FROM mine), (SELECT address FROM taken)) AS address,
         (SELECT available FROM pool) AS "poolAvailable"`;

const UNIQUE_VIOLATION = '23505';

const run = async (db: Queryable, currency: Ticker, depositId: number): Promise<Taken> => {
  const { rows } = await db.query<Row>({ name: 'take_address', text: TAKE, values: [currency, depositId] });
  const [row] = rows;
  if (!row) throw new Error('taking an address did not answer');
  return { ...row, address: row.address ?? undefined };
};

/** Idempotent: of two takes for one deposit at once, the second gives its address back and answers with the first's. */
export const takeAddress = async (db: Queryable, currency: Ticker, depositId: number): Promise<Taken> => {
  try {
    return await run(db, currency, depositId);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)) throw error;
    return run(db, currency, depositId);
  }
};
