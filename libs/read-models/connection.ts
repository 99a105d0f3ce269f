import type pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/** A server that vanished without a word answers nothing and closes nothing; a pool with another bound keeps its own. */
const ANSWER_TIMEOUT_MS = 60_000;

/** For one more connection like the pool's. It hides the password from enumeration: spreading alone would lose it. */
export const connectionOf = (pool: pg.Pool, applicationName: string): pg.ClientConfig => ({
  ...pool.options,
  ...(pool.options.password !== undefined && { password: pool.options.password }),
  application_name: applicationName,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: pool.options.query_timeout ?? ANSWER_TIMEOUT_MS,
  keepAlive: true,
});
