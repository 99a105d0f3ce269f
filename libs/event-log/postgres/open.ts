import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createEventLog, type EventLogOptions, patienceOf, unavailable } from '../create-event-log.ts';
import { persist } from '../persistence.ts';
import type { EventLog } from '../port.ts';
import type { EventStore } from '../store.ts';
import { createAppender } from './appender.ts';
import { follow } from './follow.ts';
import { readAll, readHead } from './read-all.ts';
import { readStream } from './read-stream.ts';
import { refuseForeignCluster } from './transaction-ids.ts';
import { createWake } from './wake.ts';

/** For the migration runner of platform: the tables of the log. */
export const migrations = { name: 'event_log', directory: fileURLToPath(new URL('migrations', import.meta.url)) };

export type PostgresEventLogOptions = EventLogOptions & {
  readonly databaseUrl: string;
  /** Most connections at once; default 10. One more listens. */
  readonly connections?: number;
};

const CONNECT_TIMEOUT_MS = 5_000;

export const createPostgresStore = (databaseUrl: string, connections: number): EventStore & { pool: pg.Pool } => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'cointill event log',
    keepAlive: true,
  });
  // An idle connection that dies must not end the process; the next query makes a new one.
  pool.on('error', () => undefined);
  const append = createAppender(pool);
  const wake = createWake(pool, databaseUrl);
  return {
    pool,
    append: async (stream, after, events) => {
      const outcome = await append(stream, after, events);
      if (outcome.kind === 'appended') wake.ring();
      return outcome;
    },
    readStream: (stream, options) => readStream(pool, stream, options),
    readAll: (options) => readAll(pool, options),
    follow: (options) => follow(pool, wake, options),
    head: () => readHead(pool),
    close: async () => {
      await wake.close();
      await pool.end();
    },
  };
};

/** The log in a Postgres whose migrations have been applied. */
export const openPostgresEventLog = async ({
  databaseUrl,
  connections = 10,
  ...options
}: PostgresEventLogOptions): Promise<EventLog> => {
  const store = createPostgresStore(databaseUrl, connections);
  try {
    await persist('opening', () => refuseForeignCluster(store.pool), patienceOf(options), unavailable);
  } catch (error) {
    await store.close();
    throw error;
  }
  return createEventLog(store, options);
};
