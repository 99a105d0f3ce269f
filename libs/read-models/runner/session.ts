import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectionOf } from '../connection.ts';
import { keyOf, type ProjectionId } from '../projection.ts';

/** How often whoever stands by asks for the lock. */
const ASK_EVERY_MS = 200;

/**
 * A connection of its own. All that a runner writes goes through the one that holds its lock: when it is gone, so is
 * its transaction, and only then the lock. So an owner that was replaced has nothing left to write with.
 */
export type Session = {
  readonly client: pg.Client;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly lost: Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Keep-alives let the server notice within half a minute that the owner's machine is gone, and free its lock.
 * Commits need not wait for the disk: rows and checkpoint are lost together or not at all, and the log has them.
 */
const SETTINGS = `
  SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false), set_config('idle_in_transaction_session_timeout', '30s', false),
    set_config('synchronous_commit', 'off', false)`;

export const sessionName = ({ name, version }: ProjectionId): string => `projection ${name} v${version}`;

/** `applicationName` is how operators of the database see it. */
export const openSession = async (pool: pg.Pool, applicationName: string): Promise<Session> => {
  const client = new pg.Client(connectionOf(pool, applicationName));
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });
  const close = () => client.end().catch(() => undefined);
  try {
    await client.connect();
    await client.query(SETTINGS);
  } catch (error) {
    await close();
    throw error;
  }
  return { client, lost, close };
};

const takeLock = async (client: pg.Client, lock: string): Promise<boolean> => {
  const { rows } = await client.query<{ owner: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS owner',
    [lock],
  );
  return rows[0]?.owner === true;
};

export const liveLock = (id: ProjectionId): string => `projection ${keyOf(id)}`;

/** Of whatever version: one rebuild of a name at a time. */
export const rebuildLock = ({ name }: ProjectionId): string => `projection rebuild ${name}`;

/**
 * Waits for its turn, and holds the lock until the session ends; false when it was told to stop first. It asks again
 * and again, since a statement that blocks on the lock would hold a snapshot for days and keep vacuum from cleaning.
 */
export const becomeOwner = async (client: pg.Client, lock: string, signal: AbortSignal): Promise<boolean> => {
  while (!signal.aborted) {
    if (await takeLock(client, lock)) return true;
    await delay(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
};
