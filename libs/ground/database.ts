import { randomBytes } from 'node:crypto';
import { isNativeError } from 'node:util/types';
import pg from 'pg';
import type { Configuration } from '#platform/configuration';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import type { Lifecycle } from '#platform/lifecycle';
import { type Logger, redactText } from '#platform/logging';
import { connectionFailure, placeOf, whyNotWritable } from '#platform/postgres';
import { asRoles, type DatabaseUrls } from './roles.ts';
import { StartError } from './start-error.ts';

const CONNECT_TIMEOUT_MS = 5_000;

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const reasonOf = (error: unknown): string =>
  connectionFailure(error) ?? redactText(String(isNativeError(error) ? error.message : error)).replaceAll(/\s+/g, ' ');

const using = async <T>(setting: string, url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  try {
    return await connected(url, work);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${setting} cannot be used: ${placeOf(url)}: ${reasonOf(error)}`, { cause: error });
  }
};

/** A server that cannot be used, for whatever reason, is told before anything leans on it, by the name of its setting. */
export const checkServer = async (setting: string, url: string): Promise<void> =>
  void (await using(setting, url, (client) => client.query('SELECT 1')));

/** A service that cannot write anything cannot start, and its first write would not say which setting names the server. */
const checkTakesWrites = (setting: string, url: string): Promise<void> =>
  using(setting, url, async (client) => {
    const reason = await whyNotWritable(client);
    if (reason !== undefined)
      throw new StartError(
        `${setting} cannot be used: ${placeOf(url)}: ${reason}. Start again once it takes writes, or let ${setting} name the server that does`,
      );
  });

/**
 * A lock is of one database of one server, whatever that is called and whoever stands between. It is asked for by Postgres'
 * own functions: the service may have made others, which would run with the rights of the role that migrates.
 */
const checkOne = (url: string, migrationUrl: string): Promise<void> =>
  using('DATABASE_URL', url, async (holder) => {
    const key = [randomBytes(8).readBigInt64BE()];
    await holder.query('BEGIN');
    await holder.query('SELECT pg_catalog.pg_advisory_xact_lock($1::bigint)', key);
    await using('MIGRATION_DATABASE_URL', migrationUrl, async (client) => {
      const text = 'SELECT pg_catalog.pg_try_advisory_xact_lock($1::bigint) AS free';
      if (!(await client.query<{ free: boolean }>(text, key)).rows[0]?.free) return;
      throw new StartError(
        `DATABASE_URL and MIGRATION_DATABASE_URL name two databases, ${placeOf(url)} and ${placeOf(migrationUrl)}: it has to be one, as two roles`,
      );
    });
  });

export type DatabaseParts = {
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** The embedded server ended by itself: nothing can go on. */
  readonly onLost: (reason: string) => void;
};

/** The Postgres that everything uses: the given one, or the embedded one, which is started here. */
export const openDatabase = async (configuration: Configuration, parts: DatabaseParts): Promise<DatabaseUrls> => {
  const { database, dataDir } = configuration;
  if (database.kind === 'server') {
    const { url, migrationUrl } = database;
    await checkTakesWrites('DATABASE_URL', url);
    if (migrationUrl) {
      await checkOne(url, migrationUrl);
      await checkTakesWrites('MIGRATION_DATABASE_URL', migrationUrl);
    }
    return { service: url, migration: migrationUrl };
  }
  const { lifecycle, logger, onLost } = parts;
  const embedded = await startEmbeddedPostgres({ dataDir, log: (line) => logger.info(line), onExit: onLost });
  lifecycle.onStop('stop-postgres', 'the embedded Postgres', embedded.stop);
  return asRoles(embedded.url);
};
