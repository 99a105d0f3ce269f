import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

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

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';

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

const filesIn = async ({ name, directory }: Migrations): Promise<string[]> => {
  try {
    return (await readdir(directory)).filter((file) => file.endsWith('.sql'));
  } catch (error) {
    throw new MigrationError(`the migrations of ${name} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof pg.DatabaseError)) return error.message;
  return [error.message, error.detail, error.hint].filter(Boolean).join('. ');
};

/** The runner tells only its log which file it is at. */
const follow = () => {
  let file = '';
  const info = (line: string): void => {
    file = /^### MIGRATION (.+) \(UP\) ###$/.exec(line)?.[1] ?? file;
  };
  const quiet = (): void => undefined;
  return { logger: { info, warn: quiet, error: quiet }, file: () => file };
};

const run = async (client: pg.Client, migrations: Migrations, table: string): Promise<string[]> => {
  const { runner } = await import('node-pg-migrate');
  const { logger, file } = follow();
  try {
    const done = await runner({
      dbClient: client,
      dir: migrations.directory,
      ignorePattern: '(?!.*\\.sql$).*',
      migrationsTable: table,
      direction: 'up',
      advisoryLockMode: 'wait',
      logger,
    });
    return done.map((migration) => migration.name);
  } catch (error) {
    const where = file() === '' ? migrations.directory : join(migrations.directory, `${file()}.sql`);
    throw new MigrationError(`migration ${where} failed: ${reasonOf(error)}`, { cause: error });
  }
};

/**
 * Brings a database to the newest schema of one lib, in one transaction per file, and gives the names of what it ran.
 * Of two processes at once one waits for the other. With nothing to do it costs one query.
 */
export const migrate = async (databaseUrl: string, migrations: Migrations): Promise<string[]> => {
  const table = tableOf(migrations);
  const files = await filesIn(migrations);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const done = await applied(client, migrations, table);
    if (files.every((file) => done.has(parse(file).name))) return [];
    return await run(client, migrations, table);
  } finally {
    await client.end();
  }
};
