import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Migrations, migrate } from '#platform/migrations';

/** The server of this worker. */
const serverUrl = (): string => {
  const urls = process.env.TEST_DATABASE_URL?.split(' ') ?? [];
  const url = urls[Number(process.env.JEST_WORKER_ID) % urls.length];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run these tests with `npm test`, which starts a Postgres');
  return url;
};

const urlOf = (name: string): string => {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
};

/** Whoever makes databases, and takes them away. */
type Administer = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;

const connected = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  return client;
};

const administer: Administer = async (work) => {
  const client = await connected();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** For many of them, one after the other: a connection costs about as much as a database. */
export const keptAdministration = () => {
  let client: pg.Client | undefined;
  const kept: Administer = async (work) => {
    if (!client) {
      client = await connected();
      // The next one has another.
      client.once('error', () => {
        client = undefined;
      });
    }
    return work(client);
  };
  return {
    fresh: (...tables: readonly Migrations[]): Promise<FreshDatabase> => freshBy(kept, tables),
    end: async (): Promise<void> => {
      await client?.end();
      client = undefined;
    },
  };
};

/** The same tables have the same template, over all files of a run. */
const templateOf = (tables: readonly Migrations[]): string => {
  const hash = createHash('sha256');
  for (const { name, directory } of tables) {
    hash.update(`\0${name}\0`);
    for (const file of readdirSync(directory).sort())
      hash.update(`\0${file}\0`).update(readFileSync(join(directory, file)));
  }
  return `template_${hash.digest('hex').slice(0, 16)}`;
};

/** Made beside its name, which it gets when it is whole. */
const makeTemplate = async (client: pg.Client, template: string, tables: readonly Migrations[]): Promise<void> => {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
  if (rowCount) return;
  const unfinished = `unfinished_${template}`;
  await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${unfinished}`);
  for (const each of tables) await migrate(urlOf(unfinished), each);
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
};

/** By one worker at a time. */
const ensureTemplate = async (client: pg.Client, template: string, tables: readonly Migrations[]): Promise<void> => {
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  try {
    await makeTemplate(client, template, tables);
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  }
};

/** What goes through the write-ahead log, page by page, takes three times as long to copy; older ones know no other way. */
const FILE_BY_FILE = 'STRATEGY FILE_COPY';

const howToCopy = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ knows: boolean }>(
    `SELECT current_setting('server_version_num')::integer >= 150000 AS knows`,
  );
  return rows[0]?.knows ? FILE_BY_FILE : '';
};

const NO_SUCH_DATABASE = '3D000';

const copyOf = async (client: pg.Client, tables: readonly Migrations[], name: string): Promise<void> => {
  const template = templateOf(tables);
  const how = await howToCopy(client);
  const copy = () => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} ${how}`);
  try {
    await copy();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error;
    await ensureTemplate(client, template, tables);
    await copy();
  }
};

export type FreshDatabase = { readonly url: string; readonly drop: () => Promise<void> };

const freshBy = async (by: Administer, tables: readonly Migrations[]): Promise<FreshDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await by(async (client) => {
    if (tables.length > 0) await copyOf(client, tables, name);
    else await client.query(`CREATE DATABASE ${name} ${await howToCopy(client)}`);
  });
  return {
    url: urlOf(name),
    drop: async () => {
      await by((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
};

/** A database of a test's own, with the tables that these migrations make. */
export const freshDatabase = (...tables: readonly Migrations[]): Promise<FreshDatabase> => freshBy(administer, tables);

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** Another like it, as it is now. Nobody may be connected to it. */
export const copyOfDatabase = async (url: string): Promise<FreshDatabase> => {
  const copy = await freshDatabase();
  await administer(async (client) => {
    await client.query(`DROP DATABASE ${nameOf(copy.url)}`);
    await client.query(`CREATE DATABASE ${nameOf(copy.url)} TEMPLATE ${nameOf(url)}`);
  });
  return copy;
};

/** What is at `url` goes, whoever is connected to it, and the copy stands in its place. */
export const putBack = (url: string, copy: FreshDatabase): Promise<void> =>
  administer(async (client) => {
    await client.query(`ALTER DATABASE ${nameOf(url)} ALLOW_CONNECTIONS false`);
    await client.query(`DROP DATABASE ${nameOf(url)} WITH (FORCE)`);
    await client.query(`ALTER DATABASE ${nameOf(copy.url)} RENAME TO ${nameOf(url)}`);
  });

/** As the next to connect finds it; who is connected is not any more, as when its server becomes a standby. */
export const setReadOnly = (url: string, readOnly: boolean): Promise<void> =>
  administer(async (client) => {
    await client.query(`ALTER DATABASE ${nameOf(url)} SET default_transaction_read_only = ${readOnly}`);
    if (!readOnly) return;
    await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
      nameOf(url),
    ]);
  });
