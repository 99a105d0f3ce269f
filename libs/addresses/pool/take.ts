import pg from 'pg';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { together } from '#platform/together';

export type Taken = { readonly address: string | undefined; readonly poolAvailable: boolean };

type Row = { readonly id: number; readonly address: string | null; readonly poolAvailable: boolean };

/** Who takes an address: the column that it is kept in, and its id there. */
export type Taker = { readonly column: 'deposit_id' | 'transaction_id'; readonly id: number };

/**
 * For each taker the address that it has, else the next free one. Takers at the same time step over each other's rows,
 * so none waits and no address goes out twice.
 */
const takeInto = (column: Taker['column']): string => `
  WITH mine AS (
    SELECT ${column} AS id, address FROM pool_addresses WHERE ${column} = ANY ($2::bigint[])
  ), pool AS (
    SELECT COALESCE((SELECT available FROM address_pools WHERE currency = $1), true) AS available
  ), wanting AS (
    SELECT id, row_number() OVER () AS place FROM unnest($2::bigint[]) AS asked (id)
    WHERE NOT EXISTS (SELECT FROM mine WHERE mine.id = asked.id)
  ), chosen AS (
    SELECT id FROM pool_addresses
    WHERE currency = $1 AND taken_at IS NULL AND NOT retired
      AND (SELECT available FROM pool) AND EXISTS (SELECT FROM wanting)
    ORDER BY source, id LIMIT $3 FOR UPDATE SKIP LOCKED
  ), placed AS (
    SELECT id, row_number() OVER () AS place FROM chosen
  ), taken AS (
    UPDATE pool_addresses p SET ${column} = wanting.id, taken_at = now()
    FROM placed JOIN wanting USING (place) WHERE p.id = placed.id
    RETURNING p.${column} AS id, p.address
  )
  SELECT asked.id, COALESCE(mine.address, taken.address) AS address, (SELECT available FROM pool) AS "poolAvailable"
  FROM unnest($2::bigint[]) AS asked (id) LEFT JOIN mine USING (id) LEFT JOIN taken USING (id)`;

const TAKE = {
  deposit_id: { name: 'take_addresses', text: takeInto('deposit_id') },
  transaction_id: { name: 'take_addresses_of_transactions', text: takeInto('transaction_id') },
} as const satisfies Record<Taker['column'], { readonly name: string; readonly text: string }>;

const UNIQUE_VIOLATION = '23505';

type Wanted = { readonly currency: Ticker; readonly column: Taker['column']; readonly ids: readonly number[] };

const run = async (db: Queryable, { currency, column, ids }: Wanted): Promise<readonly Row[]> =>
  (await db.query<Row>({ ...TAKE[column], values: [currency, ids, ids.length] })).rows;

/** Idempotent: of two takes for one taker at once, the second gives its address back and answers with the first's. */
const takeAll = async (db: Queryable, wanted: Wanted): Promise<readonly Row[]> => {
  try {
    return await run(db, wanted);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)) throw error;
    return run(db, wanted);
  }
};

export type TakeAddress = (currency: Ticker, taker: Taker) => Promise<Taken>;

/** Takers of the same kind and currency at the same time share a statement. */
export const createTakeAddress = (db: Queryable): TakeAddress => {
  const kinds = new Map<string, (id: number) => Promise<Taken>>();

  const takingOf = (currency: Ticker, column: Taker['column']) =>
    together<number, Taken>(async (asked) => {
      const rows = await takeAll(db, { currency, column, ids: [...new Set(asked)] });
      const byId = new Map(rows.map(({ id, address, poolAvailable }) => [id, { address, poolAvailable }]));
      return asked.map((id) => {
        const taken = byId.get(id);
        if (!taken) throw new Error('taking an address did not answer');
        return { ...taken, address: taken.address ?? undefined };
      });
    });

  return (currency, { column, id }) => {
    const kind = `${currency} ${column}`;
    const take = kinds.get(kind) ?? takingOf(currency, column);
    kinds.set(kind, take);
    return take(id);
  };
};
