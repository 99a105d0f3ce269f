import type pg from 'pg';
import { raiseIndexes } from '#addresses';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

/** In the transaction that moves the mark: whoever comes next reads nothing again that is in front of it. */
export const noteUnraised = async (db: Queryable, currencies: readonly Ticker[]): Promise<void> => {
  await db.query(
    `INSERT INTO unraised_keys AS known (currency) SELECT DISTINCT unnest($1::text[])
     ON CONFLICT (currency) DO UPDATE SET times = known.times + 1`,
    [currencies],
  );
};

/** What another instance finds meanwhile stays noted. */
export const raiseUnraised = async (pool: pg.Pool): Promise<void> => {
  const { rows } = await pool.query<{ currency: Ticker; times: number }>('SELECT currency, times FROM unraised_keys');
  if (rows.length === 0) return;
  await raiseIndexes(
    pool,
    rows.map(({ currency }) => currency),
  );
  for (const { currency, times } of rows)
    await pool.query('DELETE FROM unraised_keys WHERE currency = $1 AND times = $2', [currency, times]);
};
