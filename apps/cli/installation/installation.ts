import { userInfo } from 'node:os';
import type pg from 'pg';
import { reachDatabase, StartError } from '#ground';
import { type Configuration, ConfigurationError, readConfiguration } from '#platform/configuration';
import { EmbeddedPostgresError } from '#platform/embedded-postgres';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { SecretsKeyError, WrongSecretsKey } from '#platform/secrets';
import { Failure, isFull, refused, unreachable, usage } from '../parts/exit.ts';

export type Installation = {
  readonly configuration: Configuration;
  readonly pool: pg.Pool;
  /** Of a superuser where the Postgres is the embedded one. */
  readonly url: string;
  /** As the audit trail names whoever types this. */
  readonly actor: string;
};

const REFUSALS = [EmbeddedPostgresError, SecretsKeyError, WrongSecretsKey];

const failureOf = (error: unknown): unknown => {
  if (error instanceof ConfigurationError) return usage(error.message);
  if (error instanceof StartError) return unreachable(error.message);
  if (REFUSALS.some((kind) => error instanceof kind)) return refused((error as Error).message);
  // Of the file system, which says what and where.
  if (!isFull(error) && error instanceof Error && 'syscall' in error && 'path' in error) return refused(error.message);
  return error;
};

/** Refusals of what lies below a command, in a line and with their code. */
export const explained = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? error : failureOf(error);
  }
};

/** What the service's own settings name (DATABASE_URL or DATA_DIR, SECRETS_KEY), whether a service runs on it or not. */
export const withInstallation = <T>(work: (installation: Installation) => Promise<T>): Promise<T> =>
  explained(async () => {
    const configuration = readConfiguration(process.env);
    const { url, close } = await reachDatabase(configuration);
    const pool = createPool({ url, applicationName: 'cointill command line', logger: silentLogger, max: 2 });
    try {
      return await work({ configuration, pool, url, actor: `cointill (${userInfo().username})` });
    } finally {
      await pool.end();
      await close();
    }
  });
