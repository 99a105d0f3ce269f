import type pg from 'pg';
import { HeardPool, type Settings } from '#platform/postgres';
import { createEventLog, type EventLogOptions, patienceOf } from '../create-event-log.ts';
import { unavailable } from '../errors.ts';
import { persist } from '../persistence.ts';
import type { EventLog } from '../port.ts';
import type { EventStore } from '../store.ts';
import { createAppender } from './appender.ts';
import { createExchanged } from './exchanged.ts';
import { follow } from './follow.ts';
import { holds, readAll, readHead, readNewest } from './read-all.ts';
import { readByStream } from './read-by-stream.ts';
import { createLastRevision, createReadStream } from './read-stream.ts';
import { refuseForeignCluster, refuseForeignConnection } from './transaction-ids.ts';
import { createWake } from './wake.ts';

export type PostgresEventLogOptions = EventLogOptions & {
  readonly databaseUrl: string;
  /** Most connections at once; default 10. One more listens. */
  readonly connections?: number;
  /** How long one statement may go without an answer; default 10 s. */
  readonly answerTimeoutMs?: number;
  /** Of every session. */
  readonly settings?: Settings;
};

const CONNECT_TIMEOUT_MS = 5_000;

/** A server that is frozen keeps its connections open and answers nothing: then nobody knows, as after a cut. */
const ANSWER_TIMEOUT_MS = 10_000;

type Manner = {
  readonly connections: number;
  readonly answerTimeoutMs: number;
  readonly settings: Settings | undefined;
};

const createPostgresStore = (
  databaseUrl: string,
  { connections, answerTimeoutMs, settings }: Manner,
): EventStore & { pool: pg.Pool; opened: () => void } => {
  let isOpen = false;
  const exchanged = createExchanged();
  const standbys = new WeakSet<pg.ClientBase>();
  const pool = new HeardPool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    application_name: 'cointill event log',
    keepAlive: true,
    settings,
    onConnect: async (client) => {
      if (isOpen) await refuseForeignConnection(client);
      if ((await exchanged.look(client)) === 'standby') standbys.add(client);
    },
  });
  // An idle connection that dies must not end the process; the next query makes a new one.
  pool.on('error', () => undefined);
  // It would stay when the standby takes over, without a word of that.
  pool.on('release', (_, client) => standbys.has(client) && client.end());
  const [append, readStream] = [createAppender(pool), createReadStream(pool)];
  const wake = createWake(pool);
  return {
    pool,
    opened: () => {
      isOpen = true;
    },
    append: async (stream, after, events) => {
      const outcome = await append(stream, after, events);
      if (outcome.kind === 'appended') {
        wake.ring(outcome.position);
        exchanged.saw(outcome.position);
      }
      return outcome;
    },
    readStream: async function* (stream, options) {
      for await (const event of readStream(stream, options)) {
        if (event.problem === undefined) exchanged.saw(event.position);
        yield event;
      }
    },
    lastRevision: createLastRevision(pool),
    readAll: (options) => readAll(pool, options),
    readByStream: (options) => readByStream(pool, options),
    follow: (options) => follow(pool, wake, options),
    head: () => readHead(pool, answerTimeoutMs),
    holds: (place) => holds(pool, place),
    misses: async () => false,
    whenExchanged: exchanged.whenExchanged,
    // Nothing is, but by those who ask for it.
    forget: () => undefined,
    end: () => readHead(pool, answerTimeoutMs),
    newest: () => readNewest(pool),
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
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
  settings,
  ...options
}: PostgresEventLogOptions): Promise<EventLog> => {
  const store = createPostgresStore(databaseUrl, { connections, answerTimeoutMs, settings });
  try {
    await persist('opening', () => refuseForeignCluster(store.pool), patienceOf(options), unavailable);
    store.opened();
  } catch (error) {
    await store.close();
    throw error;
  }
  return createEventLog(store, options);
};
