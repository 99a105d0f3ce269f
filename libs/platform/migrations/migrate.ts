import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { plainSession } from '#platform/postgres';
import { growingPause } from '../pause/index.ts';
import { reasonOf } from '../reason/index.ts';
import { attempt } from './attempt.ts';
import { type Watch, watchHolders } from './holders.ts';

/** A directory of numbered SQL files, and the name under which its progress is kept: `migrations_<name>`. */
export type Migrations = {
  readonly name: string;
  readonly directory: string;
  /** Those of its tables that are only ever added to. */
  readonly history?: readonly string[];
};

/** Those in the folder `migrations` beside a module, which gives its `import.meta.url`. */
export const migrationsBeside = (moduleUrl: string, name: string, history: readonly string[] = []): Migrations => ({
  name,
  history,
  directory: fileURLToPath(new URL('migrations', moduleUrl)),
});

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** How long a migration waits for a table that somebody holds. */
export type Patience = {
  /**
   * At once. Whoever wants the table meanwhile waits behind it, so it is short; but longer than the second after which
   * Postgres has a vacuum give way.
   */
  readonly lockMs?: number;
  readonly firstPauseMs?: number;
  readonly mostPauseMs?: number;
  /** With all its pauses. */
  readonly mostMs?: number;
  /** Told before each pause, with whom it waits for as soon as that is known. */
  readonly onHeld?: (what: string) => void;
};

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

const tableOf = ({ name }: Migrations): string => {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(name)) throw new MigrationError(`"${name}" cannot be a name of migrations`);
  return `migrations_${name}`;
};

const isOf = (error: unknown, code: string): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === code;

/** Another role makes the tables at this moment: it lets the others read them when it is done. */
const toBeDone = (name: string, cause: pg.DatabaseError): MigrationError =>
  new MigrationError(`the migrations of ${name} are still to be done: ${cause.message}`, { cause });

const applied = async (client: pg.Client, { name }: Migrations, table: string): Promise<Set<string>> => {
  try {
    const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table}`);
    return new Set(rows.map((row) => row.name));
  } catch (error) {
    if (isOf(error, undefinedTable)) return new Set();
    if (isOf(error, insufficientPrivilege)) throw toBeDone(name, error);
    throw error;
  }
};

const told = (error: unknown): string =>
  error instanceof pg.DatabaseError
    ? [error.message, error.detail, error.hint].filter(Boolean).join('. ')
    : reasonOf(error);

const filesIn = async ({ name, directory }: Migrations): Promise<string[]> => {
  try {
    return (await readdir(directory)).filter((file) => file.endsWith('.sql'));
  } catch (error) {
    throw new MigrationError(`the migrations of ${name} cannot be read: ${told(error)}`, { cause: error });
  }
};

type Where = { readonly databaseUrl: string; readonly directory: string; readonly table: string };

/** Of two processes at once one waits for the other, however long that waits for a table. */
const waitForOthers = async (client: pg.Client, lockMs: number): Promise<void> => {
  const { PG_MIGRATE_LOCK_ID } = await import('node-pg-migrate');
  await client.query('SELECT pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID]);
  await client.query("SELECT set_config('lock_timeout', $1, false)", [`${lockMs}ms`]);
};

/** Without a connection to spare nobody is named. */
const watch = async (client: pg.Client, databaseUrl: string, lockMs: number): Promise<Watch | undefined> => {
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0] && (await watchHolders(databaseUrl, rows[0].pid, lockMs / 4));
  } catch {
    return undefined;
  }
};

const isHeld = (error: unknown): boolean => isOf(error, lockNotAvailable) || isOf(error, deadlockDetected);

/** What is done stays done, and the file that met a table which somebody holds is tried again. */
const run = async (client: pg.Client, { databaseUrl, directory, table }: Where, patience: Patience) => {
  const { lockMs = 2_000, firstPauseMs = 1_000, mostPauseMs = 15_000, mostMs = 300_000, onHeld } = patience;
  await waitForOthers(client, lockMs);
  const endsAt = performance.now() + mostMs;
  const pauseAfter = growingPause({ firstMs: firstPauseMs, mostMs: mostPauseMs });
  const ran: string[] = [];
  let watched: Watch | undefined;
  try {
    for (let failures = 0; ; failures += 1) {
      const { done, failed } = await attempt(client, directory, table);
      ran.push(...done);
      if (!failed) return ran;
      const { where, error } = failed;
      const holders = isHeld(error) ? watched?.told() : undefined;
      // Never behind the first alone, in which nobody has looked for whom it waits.
      const isOver = failures > 0 && performance.now() > endsAt;
      if (!isHeld(error) || isOver) {
        const reason = [told(error), holders].filter(Boolean).join(': ');
        throw new MigrationError(`migration ${where} failed: ${reason}`, { cause: error });
      }
      onHeld?.(`migration ${where} waits: ${holders ?? told(error)}`);
      await client.query('ROLLBACK').catch(() => undefined);
      await pause(pauseAfter(failures));
      watched ??= await watch(client, databaseUrl, lockMs);
    }
  } finally {
    await watched?.stop();
  }
};

/**
 * Brings a database to the newest schema of one lib, in one transaction per file, and gives the names of what it ran.
 * Of two processes at once one waits for the other. With nothing to do it costs one query.
 */
export const migrate = async (
  databaseUrl: string,
  migrations: Migrations,
  patience: Patience = {},
): Promise<string[]> => {
  const table = tableOf(migrations);
  const files = await filesIn(migrations);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // Of a connection that is lost in a pause the next statement tells.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const done = await applied(client, migrations, table);
    if (files.every((file) => done.has(parse(file).name))) return [];
    await plainSession(client);
    return await run(client, { databaseUrl, directory: migrations.directory, table }, patience);
  } finally {
    await client.end();
  }
};
