import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The server of this worker. */
const serverUrl = (): string => {
  const urls = process.env.TEST_DATABASE_URL?.split(' ') ?? [];
  const url = urls[Number(process.env.JEST_WORKER_ID) % urls.length];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run these tests with `npm test`, which starts a Postgres');
  return url;
};

const administer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

export type FreshDatabase = { readonly url: string; readonly drop: () => Promise<void> };

/** A database of the test file's own, so that files can run side by side. */
export const freshDatabase = async (): Promise<FreshDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
};
