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

export const oldest = async (db: Queryable, chain: Ticker, most: number): Promise<readonly Waiting[]> =>
  (await db.query<Waiting>('SELECT id, signal FROM chain_outbox WHERE chain = $1 ORDER BY id LIMIT $2', [chain, most]))
    .rows;

export const forget = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query('DELETE FROM chain_outbox WHERE id = ANY ($1::bigint[])', [ids]);
};
