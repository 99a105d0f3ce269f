import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

/** When the first address of a currency was given out; undefined where none was. */
export const firstTaken = async (db: Queryable, currency: Ticker): Promise<Date | undefined> =>
  (
    await db.query<{ at: Date | null }>('SELECT min(taken_at) AS at FROM pool_addresses WHERE currency = $1', [
      currency,
    ])
  ).rows[0]?.at ?? undefined;
