import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrations as audit, verify } from '#audit';
import { migrations as engine } from '#engine';
import { migrations as logTables, openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { silentLogger } from '#platform/logging';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { migrations as readModels } from '#read-models';
import { migrations as receipts } from '#receipts';
import { database } from '../lib/processes.ts';
import { machine, table, writeJson } from '../lib/report.ts';
import { spreadOf } from '../lib/statistics.ts';
import { fill } from './fill.ts';

// usage: npm run bench -- audit [--deposits 20000] [--rounds 5] [--out bench/results/audit.json]
const { values } = parseArgs({
  options: {
    deposits: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/audit.json') },
  },
});

const perSecond = async (work: () => Promise<number>): Promise<number> => {
  const start = performance.now();
  const events = await work();
  return (events * 1_000) / (performance.now() - start);
};

/** What reading, parsing and hashing cost, and nothing held against anything. */
const bare = async (client: pg.Client): Promise<number> => {
  let events = 0;
  await client.query('BEGIN');
  await client.query('DECLARE every CURSOR FOR SELECT * FROM events ORDER BY xid, position');
  for (let got = -1; got !== 0; events += got) {
    const { rows } = await client.query<{ data: string; metadata: string }>('FETCH 1000 FROM every');
    for (const { data, metadata } of rows) {
      JSON.parse(data);
      JSON.parse(metadata);
      hash('sha256', data + metadata, 'hex');
    }
    got = rows.length;
  }
  await client.query('COMMIT');
  return events;
};

const directory = await mkdtemp(join(tmpdir(), 'bench audit '));
const server = await startEmbeddedPostgres({ dataDir: directory, log: () => undefined, onExit: () => undefined });
try {
  const url = await database(server.url, 'audit');
  for (const tables of [logTables, readModels, receipts, engine, audit]) await migrate(url, tables);
  const log = await openPostgresEventLog({ databaseUrl: url });
  const pool = createPool({ url, applicationName: 'bench', logger: silentLogger });
  const client = new pg.Client(url);
  await client.connect();
  await fill({ log, pool }, Number(values.deposits));
  const checks = (withRows: boolean) => async (): Promise<number> => {
    const { events, findings, behind } = await verify({
      ...{ log, projections, pool: withRows ? pool : undefined },
      onFinding: (finding) => console.error(finding),
    });
    if (findings + behind > 0) throw new Error('what nobody touched was found to be changed');
    return events;
  };
  const contestants = {
    'bare: read, parse, hash': () => bare(client),
    'verify, chains alone': checks(false),
    'verify, chains, rows, totals': checks(true),
  };
  const measured = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, work] of Object.entries(contestants)) measured.get(name)?.push(await perSecond(work));
  const rows = [...measured].map(([name, rates]) => ({ name, ...spreadOf(rates) }));
  const [first] = rows;
  const told = rows.map(({ name, median, min, max }) => [
    ...[name, String(Math.round(median)), `${Math.round(min)}–${Math.round(max)}`],
    (median / (first?.median ?? 1)).toFixed(2),
  ]);
  console.log(table([['events per second', 'median', 'from–to', 'of bare'], ...told]));
  console.log(`memory at its highest: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MiB`);
  await writeJson(values.out, { machine: machine(), deposits: Number(values.deposits), rows });
  await client.end();
  await log.close();
  await pool.end();
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
