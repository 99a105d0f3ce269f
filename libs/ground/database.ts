import { isNativeError } from 'node:util/types';
import pg from 'pg';
import type { Configuration } from '#platform/configuration';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import type { Lifecycle } from '#platform/lifecycle';
import { type Logger, redactText } from '#platform/logging';
import { connectionFailure, placeOf } from '#platform/postgres';
import { asRoles, type DatabaseUrls } from './roles.ts';
import { StartError } from './start-error.ts';

const CONNECT_TIMEOUT_MS = 5_000;

const ask = async (url: string): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
};

const reasonOf = (error: unknown): string =>
  connectionFailure(error) ?? redactText(String(isNativeError(error) ? error.message : error)).replaceAll(/\s+/g, ' ');

/** A server that cannot be used, for whatever reason, is told before anything leans on it, by the name of its setting. */
export const checkServer = async (setting: string, url: string): Promise<void> => {
  try {
    await ask(url);
  } catch (error) {
    throw new StartError(`${setting} cannot be used: ${placeOf(url)}: ${reasonOf(error)}`, { cause: error });
  }
};

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
    await checkServer('DATABASE_URL', url);
    if (migrationUrl) await checkServer('MIGRATION_DATABASE_URL', migrationUrl);
    return { service: url, migration: migrationUrl };
  }
  const { lifecycle, logger, onLost } = parts;
  const embedded = await startEmbeddedPostgres({ dataDir, log: (line) => logger.info(line), onExit: onLost });
  lifecycle.onStop('stop-postgres', 'the embedded Postgres', embedded.stop);
  return asRoles(embedded.url);
};
