import pg from 'pg';
import { reasonOf } from '#platform/reason';
import type { BusLog } from '../log.ts';

/** A server that vanished without a word must not hold a publisher for ever. */
const PATIENCE = { connectionTimeoutMillis: 10_000, query_timeout: 30_000, keepAlive: true };

export const openPool = (databaseUrl: string, max: number, log: BusLog): pg.Pool => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max, application_name: 'bus', ...PATIENCE });
  pool.on('error', (error) => log.warn(`The bus lost an idle connection to Postgres: ${reasonOf(error)}`));
  return pool;
};
