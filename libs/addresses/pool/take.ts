import pg from 'pg';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

export type Taken = { readonly address: string | undefined; readonly poolAvailable: boolean };

type Row = { readonly address: string | null; readonly poolAvailable: boolean };

/** Who takes an address: the column that it is kept in, and its id there. */
export type Taker = { readonly column: 'deposit_id' | 'transaction_id'; readonly id: number };

/**
 * The address that the taker has, else the first free one. Takers at the same time step over each other's rows, so
 * none waits and no address goes out twice.
 */
const takeInto = (column: Taker['column']): string => `
  WITH mine AS (
    SELECT address FROM pool_addresses WHERE ${column} = $2
  ), pool AS (
    SELECT COALESCE((SELECT available FROM address_pools WHERE currency = $1), true) AS available
  ), chosen AS (
    SELECT id FROM pool_addresses
    WHERE currency = $1 AND taken_at IS NULL AND NOT retired
      AND (SELECT available FROM pool) AND NOT EXISTS (SELECT FROM mine)
    ORDER BY source, id LIMIT 1 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE pool_addresses p SET ${column} = $2, taken_at = now() FROM chosen WHERE p.id = chosen.id
    RETURNING p.address
  )
  SELECT COALESCE((SELECT address FROM mine), (SELECT address FROM taken)) AS address,
         (SELECT available FROM pool) AS "poolAvailable"`;

const TAKE = {
  deposit_id: { name: 'take_address', text: takeInto('deposit_id') },
  transaction_id: { name: 'take_address_of_transaction', text: takeInto('transaction_id') },
} as const satisfies Record<Taker['column'], { readonly name: string; readonly text: string }>;

const UNIQUE_VIOLATION = '23505';

const run = async (db: Queryable, currency: Ticker, { column, id }: Taker): Promise<Taken> => {
  const { rows } = await db.query<Row>({ ...TAKE[column], values: [currency, id] });
  const [row] = rows;
  if (!row) throw new Error('taking an address did not answer');
  return { ...row, address: row.address ?? undefined };
};

/** Idempotent: of two takes for one taker at once, the second gives its address back and answers with the first's. */
export const takeAddress = async (db: Queryable, currency: Ticker, taker: Taker): Promise<Taken> => {
  try {
    return await run(db, currency, taker);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)) throw error;
    return run(db, currency, taker);
  }
};
