import type pg from 'pg';
import { outsidersOf } from '#platform/gate';

export const CALLS_PER_WINDOW = 10;
const WINDOW_SECONDS = 60;

export type CountedCall = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Unix seconds of the end of the window. */
  readonly resetAt: number;
  /** Whole seconds until then, at least one. */
  readonly secondsLeft: number;
};

type Row = { readonly calls: number; readonly endsAt: number; readonly secondsLeft: number };

/**
 * One statement, so that no two calls take the same place, on whatever instance; the clock is the database's, so that
 * instances need not agree on theirs. The window starts with its first call.
 */
const COUNT = `
  INSERT INTO webhook_test_calls AS w (api_key_id, window_start, calls) VALUES ($1, clock_timestamp(), 1)
  ON CONFLICT (api_key_id) DO UPDATE SET
    window_start = CASE WHEN w.window_start <= clock_timestamp() - interval '${WINDOW_SECONDS} s'
                        THEN clock_timestamp() ELSE w.window_start END,
    calls = CASE WHEN w.window_start <= clock_timestamp() - interval '${WINDOW_SECONDS} s'
                 THEN 1 ELSE least(w.calls, ${CALLS_PER_WINDOW}) + 1 END
  RETURNING calls,
    ceil(extract(epoch FROM window_start) + ${WINDOW_SECONDS})::float8 AS "endsAt",
    ceil(extract(epoch FROM window_start - clock_timestamp()) + ${WINDOW_SECONDS})::float8 AS "secondsLeft"`;

/** Those of one key come one by one: each waits for the same row. */
export const countTestCall = async (pool: pg.Pool, apiKeyId: number): Promise<CountedCall> => {
  const query = { name: 'count_test_webhook_call', text: COUNT, values: [apiKeyId] };
  const comer = { party: `key ${apiKeyId}`, thing: 'test calls' };
  const { rows } = await outsidersOf(pool)(comer, () => pool.query<Row>(query));
  const [row] = rows;
  if (!row) throw new Error('the call was not counted');
  return {
    allowed: row.calls <= CALLS_PER_WINDOW,
    remaining: Math.max(0, CALLS_PER_WINDOW - row.calls),
    resetAt: row.endsAt,
    secondsLeft: Math.max(1, row.secondsLeft),
  };
};
