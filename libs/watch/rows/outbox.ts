import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { RawSignal } from '../signals.ts';

/** In the transaction of the facts, and in their order. */
export const tell = async (db: Queryable, chain: Ticker, signals: readonly RawSignal[]): Promise<void> => {
  if (signals.length === 0) return;
  await db.query(
    `INSERT INTO chain_outbox (chain, signal)
     SELECT $1, signal FROM unnest($2::jsonb[]) WITH ORDINALITY AS t (signal, place) ORDER BY place`,
    [chain, signals.map((signal) => JSON.stringify(signal))],
  );
};

export type Waiting = { readonly id: number; readonly signal: RawSignal };

/** Whoever has one that stepped back is told nothing out of order. */
const DUE = `
  SELECT id, signal, subject, turn_at FROM chain_outbox o
  WHERE chain = $1 AND NOT EXISTS (
    SELECT FROM chain_outbox b WHERE b.chain = o.chain AND b.subject = o.subject AND b.again_at > now())
  ORDER BY turn_at, id LIMIT $2`;

/** Whose turn it is, of each deposit the first ones alone. */
const DEALT = `
  SELECT id, signal FROM (
    SELECT *, row_number() OVER (PARTITION BY subject ORDER BY turn_at, id) AS nth FROM (${DUE}) AS due
  ) AS numbered
  WHERE nth <= $3 ORDER BY turn_at, id`;

export const deal = async (
  db: Queryable,
  chain: Ticker,
  most: number,
  mostOfOne: number,
): Promise<readonly Waiting[]> => (await db.query<Waiting>(DEALT, [chain, most, mostOfOne])).rows;

export const forget = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query('DELETE FROM chain_outbox WHERE id = ANY ($1::bigint[])', [ids]);
};

/** In its place: what comes after it of the same deposit does so still. In a transaction. */
export const tellInstead = async (
  db: Queryable,
  chain: Ticker,
  { id, signals }: { readonly id: number; readonly signals: readonly RawSignal[] },
): Promise<void> => {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO chain_outbox (chain, signal)
     SELECT $1, signal FROM unnest($2::jsonb[]) WITH ORDINALITY AS t (signal, place) ORDER BY place RETURNING id`,
    [chain, signals.map((signal) => JSON.stringify(signal))],
  );
  // Its turn is given to each that is added, behind all of the deposit that wait.
  await db.query(
    'UPDATE chain_outbox n SET turn_at = o.turn_at FROM chain_outbox o WHERE o.id = $1 AND n.id = ANY ($2::bigint[])',
    [id, rows.map((row) => row.id)],
  );
  await forget(db, [id]);
};

/** For a second, and twice as long each time up to some minutes. */
export const stepBack = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return;
  await db.query(
    `UPDATE chain_outbox SET failures = failures + 1, again_at = now() + interval '1 s' * (1 << least(failures, 8))
     WHERE id = ANY ($1::bigint[])`,
    [ids],
  );
};
