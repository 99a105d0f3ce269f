import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrations, openPostgresEventLog } from '#event-log/postgres';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { migrate } from '#platform/migrations';
import { machine, writeJson } from '../lib/report.ts';
import { barePg } from './bare-pg.ts';
import { bareCursor, fill, readAll, subscription } from './catch-up.ts';
import type { Contestant, Kind } from './contestant.ts';
import { emmett } from './emmett.ts';
import { eventLog } from './event-log.ts';
import { pgbench } from './pgbench.ts';
import { type Appends, printAppends, printReads, type Reads } from './results.ts';

// usage: npm run bench -- log [--rounds 5] [--ms 1500] [--events 200000] [--out bench/results/log.json]
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    ms: { type: 'string', default: '1500' },
    events: { type: 'string', default: '200000' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/log.json') },
  },
});
const [rounds, ms, events] = [Number(values.rounds), Number(values.ms), Number(values.events)];
const WRITERS = [1, 16, 64];
/** Of each contestant that has a pool: three of them and pgbench's 64 together stay below the server's 200. */
const CONNECTIONS = 40;
const KINDS: readonly Kind[] = ['new stream', 'old stream'];

const makeDatabase = async (serverUrl: string, name: string): Promise<string> => {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

/** Whoever comes right after the heaviest writer finds the disk busy with what that one left: not always the same. */
const startingWith = <T>(round: number, list: readonly T[]): readonly T[] => {
  const first = round % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
};

/** Everybody in turn in every round, so that nobody gets the machine's good minute alone. */
const measureAppends = async (contestants: readonly Contestant[]): Promise<Appends[]> => {
  const results: Appends[] = [];
  for (const kind of KINDS)
    for (const writers of WRITERS) {
      const perSecond = Object.fromEntries(contestants.map(({ name }) => [name, [] as number[]]));
      for (let round = 0; round < rounds; round++)
        for (const { name, run } of startingWith(round, contestants))
          perSecond[name]?.push(await run({ kind, writers, round, ms }));
      results.push({ kind, writers, perSecond });
      process.stderr.write(`measured: ${kind}, ${writers} writers\n`);
    }
  return results;
};

const measureReads = async (databaseUrl: string): Promise<Reads> => {
  await fill(databaseUrl, events);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const log = await openPostgresEventLog({ databaseUrl });
  const reads: Reads = { 'bare cursor': [], readAll: [], subscription: [] };
  await readAll(log); // Once, uncounted: the rows come into memory.
  for (let round = 0; round < rounds; round++) {
    reads['bare cursor'].push(await bareCursor(client));
    reads.readAll.push(await readAll(log));
    reads.subscription.push(await subscription(log, events));
  }
  await log.close();
  await client.end();
  return reads;
};

const dataDir = await mkdtemp(join(tmpdir(), 'cointill-bench-'));
const server = await startEmbeddedPostgres({ dataDir });
try {
  const database = await makeDatabase(server.url, 'event_log');
  await migrate(database, migrations);
  const left = await pgbench(database);
  const contestants = [
    await eventLog(database, CONNECTIONS),
    await barePg(database, CONNECTIONS),
    await emmett(await makeDatabase(server.url, 'emmett'), CONNECTIONS),
    ...(left ? [left] : []),
  ];
  const appends = await measureAppends(contestants);
  for (const { close } of contestants) await close();
  const readsFrom = await makeDatabase(server.url, 'catch_up');
  await migrate(readsFrom, migrations);
  const reads = await measureReads(readsFrom);
  const leftOut = left ? [] : ['pgbench: not on this machine (Debian: postgresql-contrib)'];
  const summary = { machine: machine(), rounds, ms, events, leftOut };
  console.log(`${printAppends(appends)}\n\n${printReads(reads)}\n`);
  for (const reason of leftOut) console.log(`left out: ${reason}`);
  await writeJson(values.out, { ...summary, appends, reads });
  console.log(`every figure: ${values.out}`);
} catch (error) {
  // Said before the server goes: the connections that then break would drown it.
  console.error(error);
  throw error;
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
