import pg from 'pg';
import { endsWithin } from '../pause/index.ts';
import { noteUnconnected } from './away.ts';
import { HeardPool } from './heard-pool.ts';
import { guardSession, type Settings } from './session-settings.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** A server that vanished without a word answers nothing and closes nothing; a pool with another bound keeps its own. */
const ANSWER_TIMEOUT_MS = 60_000;

/** A server that does not answer a goodbye holds up nobody. */
const GOODBYE_MS = 1_000;

/** For one more connection like the pool's. It hides the password from enumeration: spreading alone would lose it. */
export const connectionOf = (pool: pg.Pool, name: string): pg.ClientConfig => ({
  ...pool.options,
  ...(pool.options.password !== undefined && { password: pool.options.password }),
  application_name: name,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: pool.options.query_timeout ?? ANSWER_TIMEOUT_MS,
  keepAlive: true,
});

export type Connection = {
  readonly client: pg.Client;
  /** Aborts when the connection has ended, for whatever reason. */
  readonly lost: AbortSignal;
  readonly close: () => Promise<void>;
};

type Manner = {
  readonly settings?: Settings | undefined;
  /** Statements go out behind each other without waiting for answers; such a one takes no COPY and no cursor. */
  readonly pipeline?: boolean | undefined;
};

/** One connection like those of the pool, beside them, for what is bound to a session. `name` is how operators see it. */
export const openConnection = async (
  pool: pg.Pool,
  name: string,
  { settings, pipeline = false }: Manner = {},
): Promise<Connection> => {
  const client = new pg.Client({ ...connectionOf(pool, name), pipeline });
  const lost = new AbortController();
  client.once('end', () => lost.abort());
  client.on('error', () => lost.abort());
  const close = async (): Promise<void> => {
    await endsWithin(client.end(), GOODBYE_MS).catch(() => undefined);
  };
  try {
    await client.connect();
    await guardSession(client, { ...(pool instanceof HeardPool && pool.settings), ...settings });
  } catch (error) {
    noteUnconnected(error);
    await close();
    throw error;
  }
  return { client, lost: lost.signal, close };
};
