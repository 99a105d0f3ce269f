import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import type { Entry } from '../archive/index.ts';
import { filesOfCluster } from './files-of-cluster.ts';
import { isGone } from './is-gone.ts';
import type { Layout } from './layout.ts';

/** It says where the last checkpoint was: read after everything that it speaks of. */
const CONTROL = 'global/pg_control';

/** As many bytes as it had a moment before: what was cut off since, the log of the server does again. */
async function* bytesOf(file: string, size: number): AsyncGenerator<Buffer> {
  let left = size;
  if (size > 0) {
    try {
      for await (const bytes of createReadStream(file, { end: size - 1 })) {
        left -= bytes.length;
        yield bytes;
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  if (left > 0) yield Buffer.alloc(left);
}

const entryOf = async (root: string, path: string): Promise<Entry | undefined> => {
  const file = join(root, path);
  try {
    const { size } = await stat(file);
    return { path: `postgres/data/${path}`, content: { size, bytes: bytesOf(file, size) } };
  } catch (error) {
    // Dropped meanwhile.
    if (isGone(error)) return undefined;
    throw error;
  }
};

async function* entriesOf(root: string, paths: readonly string[]): AsyncGenerator<Entry> {
  for (const path of paths) {
    const entry = await entryOf(root, path);
    if (entry) yield entry;
  }
}

async function* filesOf(root: string): AsyncGenerator<Entry> {
  for await (const { path, isDirectory } of filesOfCluster(root)) {
    if (isDirectory) yield { path: `postgres/data/${path}` };
    else if (path !== CONTROL) yield* entriesOf(root, [path]);
  }
}

export const bytesEntry = (path: string, bytes: Buffer): Entry => ({
  path,
  content: { size: bytes.length, bytes: Readable.from([bytes]) },
});

const START = `SELECT pg_walfile_name(pg_backup_start('cointill', true)) AS segment`;
const STOP = `SELECT labelfile, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(false)`;

/** Those from the first to the last, by their names, which are in order. */
const segments = async (root: string, first: string, last: string): Promise<string[]> =>
  (await readdir(join(root, 'pg_wal')))
    .filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
    .map((name) => `pg_wal/${name}`);

/**
 * A copy of the cluster as it is when this ends, while it serves: its files in whatever state they are, and the part of
 * its log that puts them right. A server that is started on the copy does that by itself.
 */
export async function* baseBackup(url: string, { data, password }: Layout): AsyncGenerator<Entry> {
  const client = new pg.Client({ connectionString: url, application_name: 'cointill backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Until this connection ends, no part of the log goes that came after.
    const slot = `cointill_backup_${randomBytes(4).toString('hex')}`;
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
    const { rows: started } = await client.query<{ segment: string }>(START);
    yield { path: 'postgres' };
    yield { path: 'postgres/data' };
    yield* filesOf(data);
    yield* entriesOf(data, [CONTROL]);
    const { rows: stopped } = await client.query<{ segment: string; labelfile: string }>(STOP);
    const [first = '', last = ''] = [started[0]?.segment, stopped[0]?.segment];
    yield* entriesOf(data, await segments(data, first, last));
    yield bytesEntry('postgres/data/backup_label', Buffer.from(stopped[0]?.labelfile ?? ''));
    yield bytesEntry('postgres/password', await readFile(password));
  } finally {
    await client.end();
  }
}
