import { type Ticker, tickers } from '#money';
import type { Queryable } from '#platform/postgres';

export type PoolRow = {
  readonly ticker: Ticker;
  readonly available: boolean;
  readonly free: number;
  readonly taken: number;
};

/** What was taken is never counted, for it grows for ever: it is all that came in, less what is still there. */
const OVERVIEW = `
  SELECT t.ticker, COALESCE(p.available, true) AS available, still.free,
         COALESCE(p.added, 0) + COALESCE(k.derived, 0)::bigint - still.free - k.retired AS taken
  FROM unnest($1::text[]) WITH ORDINALITY AS t (ticker, place)
  LEFT JOIN address_pools p ON p.currency = t.ticker
  CROSS JOIN LATERAL (
    SELECT count(*) AS free FROM pool_addresses a
    WHERE a.currency = t.ticker AND a.taken_at IS NULL AND NOT a.retired
  ) still
  CROSS JOIN LATERAL (
    SELECT sum(d.derived) AS derived, COALESCE(sum(gone.count), 0)::bigint AS retired
    FROM derivation_keys d
    CROSS JOIN LATERAL (
      SELECT count(*) FROM pool_addresses a WHERE a.key_id = d.id AND a.taken_at IS NULL AND a.retired
    ) gone
    WHERE d.currency = t.ticker
  ) k
  ORDER BY t.place`;

export const poolOverview = async (db: Queryable): Promise<readonly PoolRow[]> =>
  (await db.query<PoolRow>(OVERVIEW, [tickers])).rows;
