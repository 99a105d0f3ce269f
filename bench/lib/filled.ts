import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrations as audit } from '#audit';
import { migrations as engine } from '#engine';
import { migrations as logTables } from '#event-log/postgres';
import { migrations as partners } from '#partners';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { migrate } from '#platform/migrations';
import { migrations as readModels } from '#read-models';
import { migrations as receipts } from '#receipts';
import { fillLog } from './fill-log.ts';
import { database } from './processes.ts';

export type Ground = { readonly url: string; readonly dataDir: string; readonly close: () => Promise<void> };

/** A server of its own, in a directory that goes with it unless it was named: then the next bench finds it filled. */
export const openGround = async (data: string | undefined, settings = {}): Promise<Ground> => {
  const dataDir = data ?? (await mkdtemp(join(tmpdir(), 'bench ground ')));
  const server = await startEmbeddedPostgres({ dataDir, settings });
  const close = async (): Promise<void> => {
    await server.stop();
    if (data === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, dataDir, close };
};

/** The first is that of a service's first start. */
const AFFILIATE = 2;

export type Filled = { readonly url: string; readonly events: number };

/** What follows from the log, in two processes, since reading and proving it takes most of that. */
const HALVES = [['deposits'], ['timers', 'returns', 'receipts', 'legacy_transactions', 'transaction_timers']];

const fold = async (url: string): Promise<void> => {
  const children = HALVES.map((names) =>
    fork(join(import.meta.dirname, 'fold.child.ts'), [url, ...names], { execArgv: ['--conditions=source'] }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  if (codes.some((code) => code !== 0)) throw new Error('the rows could not be filled');
};

const timed = async (what: string, work: () => Promise<number>): Promise<void> => {
  const start = performance.now();
  const events = await work();
  const seconds = (performance.now() - start) / 1_000;
  console.log(`${events} events in ${Math.round(seconds)} s, ${what} at ${Math.round(events / seconds)} a second`);
};

const FILLED = 'filled';

/** A database beside the others with so many deposits, true streams and all rows; one that is there is taken as it is. */
export const filled = async (server: string, deposits: number, affiliateId = AFFILIATE): Promise<Filled> => {
  const name = `filled_${deposits}`;
  const admin = new pg.Client(server);
  await admin.connect();
  const known = 'SELECT shobj_description(oid, $2) AS state FROM pg_database WHERE datname = $1';
  const { rows } = await admin.query<{ state: string | null }>(known, [name, 'pg_database']);
  const [found] = rows;
  const at = new URL(server);
  at.pathname = `/${name}`;
  const url = found ? at.href : await database(server, name);
  const client = new pg.Client(url);
  await client.connect();
  const count = async (): Promise<number> =>
    Number((await client.query<{ count: string }>('SELECT count(*) AS count FROM events')).rows[0]?.count);
  for (const tables of [partners, logTables, readModels, receipts, engine, audit]) await migrate(url, tables);
  if (found?.state !== FILLED) {
    await timed('written', () => fillLog(url, deposits, affiliateId));
    await client.query('VACUUM ANALYZE events');
    await timed('all rows filled', () => fold(url).then(count));
    await client.query('VACUUM ANALYZE');
    await admin.query(`COMMENT ON DATABASE ${name} IS '${FILLED}'`);
  }
  const events = await count();
  await client.end();
  await admin.end();
  return { url, events };
};
