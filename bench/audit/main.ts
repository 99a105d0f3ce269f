import { hash } from 'node:crypto';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Finding, type Verified, verify, verifyInTwo } from '#audit';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { filled, openGround } from '../lib/filled.ts';
import { machine, table, writeJson } from '../lib/report.ts';
import { spreadOf } from '../lib/statistics.ts';

// usage: npm run bench -- audit [--deposits 20000] [--rounds 5] [--data <directory>] [--only bare,two]
//                               [--out bench/results/audit.json]
const { values } = parseArgs({
  options: {
    deposits: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    data: { type: 'string' },
    only: { type: 'string', default: 'bare,chains,one,two' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/audit.json') },
  },
});

/** How fast, and what an event takes of Node's processor time, in all of its threads. */
const measuredOf = async (work: () => Promise<number>): Promise<{ rate: number; micros: number }> => {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const events = await work();
  const { user, system } = process.cpuUsage(before);
  return { rate: (events * 1_000) / (performance.now() - start), micros: (user + system) / events };
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

const ground = await openGround(values.data);
try {
  const { url, events: written } = await filled(ground.url, Number(values.deposits));
  const log = await openPostgresEventLog({ databaseUrl: url });
  const pool = createPool({ url, applicationName: 'bench', logger: silentLogger });
  const client = new pg.Client(url);
  await client.connect();
  const asked = { log, onFinding: (finding: Finding) => console.error(finding) };
  const checks = (verified: () => Promise<Verified>) => async (): Promise<number> => {
    const { events, findings, behind } = await verified();
    if (findings + behind > 0) throw new Error('what nobody touched was found to be changed');
    return events;
  };
  // As the command line has it, which finds its database there.
  process.env.DATABASE_URL = url;
  const rowsFile = new URL('../../apps/cli/audit/rows.child.ts', import.meta.url);
  const all: Readonly<Record<string, readonly [name: string, work: () => Promise<number>]>> = {
    bare: ['bare: read, parse, hash', () => bare(client)],
    chains: ['verify, chains alone', checks(() => verify({ ...asked, projections, pool: undefined }))],
    one: ['verify, chains, rows, totals', checks(() => verify({ ...asked, projections, pool }))],
    two: ['the same by two threads', checks(() => verifyInTwo(asked, rowsFile))],
  };
  const contestants = values.only.split(',').flatMap((name) => (all[name] ? [all[name]] : []));
  const measured = new Map(contestants.map(([name]) => [name, [] as { rate: number; micros: number }[]]));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, work] of contestants) measured.get(name)?.push(await measuredOf(work));
  const rows = [...measured].map(([name, rounds]) => ({
    ...{ name, ...spreadOf(rounds.map(({ rate }) => rate)) },
    micros: spreadOf(rounds.map(({ micros }) => micros)).median,
  }));
  const [first] = rows;
  const told = rows.map(({ name, median, min, max, micros }) => [
    ...[name, String(Math.round(median)), `${Math.round(min)}–${Math.round(max)}`],
    ...[(median / (first?.median ?? 1)).toFixed(2), micros.toFixed(1)],
  ]);
  console.log(
    table([[`of ${written} events, a second`, 'median', 'from–to', 'of bare', 'µs of Node an event'], ...told]),
  );
  console.log(`memory at its highest: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MiB`);
  await writeJson(values.out, { machine: machine(), loadAverage: loadavg(), deposits: Number(values.deposits), rows });
  await client.end();
  await log.close();
  await pool.end();
} finally {
  await ground.close();
}
