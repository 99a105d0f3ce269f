import type pg from 'pg';

const INDEXES = `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'pool_addresses' AND indexdef NOT LIKE 'CREATE UNIQUE%'`;

/** The nth of them, as a script. */
export const SCRIPT = `'0014' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 40)`;

/** Given out, each to a deposit of its own. Indexes are made when they are all there. */
export const giveOut = async (pool: pg.Pool, count: number): Promise<void> => {
  const { rows } = await pool.query<{ indexname: string; indexdef: string }>(INDEXES);
  for (const { indexname } of rows) await pool.query(`DROP INDEX ${indexname}`);
  const most = 500_000;
  for (let from = 1; from <= count; from += most)
    await pool.query(
      `INSERT INTO pool_addresses (currency, address, address_key, script, source, deposit_id, taken_at)
       SELECT 'BTC', 'a' || n, 'a' || n, ${SCRIPT}, 'added', n, now() FROM generate_series($1::bigint, $2::bigint) AS n`,
      [from, Math.min(count, from + most - 1)],
    );
  for (const { indexdef } of rows) await pool.query(indexdef);
  await pool.query('VACUUM ANALYZE pool_addresses');
};

export const scriptsOf = async (pool: pg.Pool, count: number): Promise<readonly string[]> =>
  (
    await pool.query<{ script: string }>(`SELECT ${SCRIPT} AS script FROM generate_series(1, $1::bigint) AS n`, [count])
  ).rows.map(({ script }) => script);
