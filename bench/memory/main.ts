import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { addressOf, serviceOn, stopping } from '../lib/processes.ts';
import { machine, writeJson } from '../lib/report.ts';
import { spreadOf } from '../lib/statistics.ts';
import { startCallers } from '../paths/callers.ts';
import { create, mixed, pay } from '../paths/chapters.ts';
import { startOurs } from '../paths/contestants.ts';

// usage: npm run bench -- memory [--minutes 10] [--deposits 200] [--starts 5] [--out bench/results/memory.json]
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    deposits: { type: 'string', default: '200' },
    starts: { type: 'string', default: '5' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/memory.json') },
  },
});
const [minutes, deposits, starts] = [Number(values.minutes), Number(values.deposits), Number(values.starts)];
/** Megabytes resident, without Postgres, and seconds. */
const LIMITS = { idle: 200, load: 400, ready: 2 };
const SETTLED_MS = 10_000;

/** Of the service alone: what started it holds next to nothing, and counts for itself. */
const residentMb = (starter: number): number => {
  const listed = execFileSync('ps', ['-axo', 'ppid=,rss='], { encoding: 'utf8' });
  const rows = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return (rows.find(([parent]) => parent === starter)?.[1] ?? Number.NaN) * (1_024 / 1e6);
};

const dataDir = await mkdtemp(join(tmpdir(), 'cointill-memory-'));
const postgres = await startEmbeddedPostgres({ dataDir });
const callers = startCallers();
try {
  const contestant = await startOurs(postgres.url, dataDir, {});
  const parts = { callers, contestant, atOnce: 32 };
  const loaded: number[] = [];
  const sampling = setInterval(() => loaded.push(residentMb(contestant.pid)), 1_000);
  let calls = 0;
  for (const until = performance.now() + minutes * 60_000; performance.now() < until; calls += deposits * 8) {
    const { made } = await create(parts, deposits);
    await pay(parts, made);
    await mixed(parts, made);
  }
  clearInterval(sampling);
  await contestant.stop();

  const ready: number[] = [];
  const idle: number[] = [];
  for (let n = 0; n < starts; n++) {
    const begin = performance.now();
    const child = serviceOn(contestant.databaseUrl, dataDir);
    await addressOf(child);
    ready.push((performance.now() - begin) / 1_000);
    await delay(SETTLED_MS);
    idle.push(residentMb(child.pid ?? 0));
    await stopping(child)();
  }

  const third = Math.floor(loaded.length / 3);
  const thirds = [loaded.slice(0, third), loaded.slice(third, 2 * third), loaded.slice(2 * third)].map(spreadOf);
  const most = Math.max(...loaded);
  const [idling, starting] = [spreadOf(idle), spreadOf(ready)];
  const held = (figure: number, limit: number): string => `at most ${limit}: ${figure <= limit ? 'kept' : 'MISSED'}`;
  console.log(`${minutes} minutes, ${calls} calls and more; medians of its thirds, in MB:`);
  console.log(`  ${thirds.map(({ median }) => Math.round(median)).join(', ')}`);
  console.log(`  at its highest ${Math.round(most)} MB (${held(most, LIMITS.load)})`);
  console.log(`idle: ${Math.round(idling.median)} MB (${held(idling.median, LIMITS.idle)})`);
  console.log(`ready on existing data: ${starting.median.toFixed(1)} s (${held(starting.median, LIMITS.ready)})`);
  await writeJson(values.out, { machine: machine(), loadAverage: loadavg(), minutes, calls, loaded, idle, ready });
  const isKept = most <= LIMITS.load && idling.median <= LIMITS.idle && starting.median <= LIMITS.ready;
  process.exitCode = isKept ? 0 : 1;
} finally {
  await callers.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
