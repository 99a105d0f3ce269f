import pg from 'pg';
import type { Logger } from '../logging/index.ts';
import { reasonOf } from '../reason/index.ts';
import { HeardPool } from './heard-pool.ts';
import type { Settings } from './session-settings.ts';

export type PoolOptions = {
  readonly url: string;
  /** What `pg_stat_activity` calls us. */
  readonly applicationName: string;
  readonly logger: Logger;
  readonly max?: number;
  /** A statement that takes longer is cancelled; 0 for none. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Of every session. */
  readonly settings?: Settings;
};

const INT8 = 20;

const STATEMENT_TIMEOUT_MS = 30_000;

/** The server cancels first; who gives up after that is left alone by a server or a network gone silent. */
const SILENCE_MS = 2_000;

/** Ids and counts fit a double; what does not is an error here, never a wrong number further on. */
const safeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number: select it as text`);
  return value;
};

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? safeInteger
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** A pool whose idle connections may break without taking the process with them: the next query opens a new one. */
export const createPool = (options: PoolOptions): pg.Pool => {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new HeardPool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + SILENCE_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    settings: { statement_timeout: `${statementTimeoutMs}`, ...options.settings },
    types,
  });
  pool.on('error', (error) => {
    // What is closing anyway may be closed by the other side first.
    if (!pool.ending) options.logger.warn({ reason: reasonOf(error) }, 'an idle database connection broke');
  });
  return pool;
};
