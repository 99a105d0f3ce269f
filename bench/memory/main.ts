import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addressOf, serviceOn, stopping } from '../lib/processes.ts';
import { machine, writeJson } from '../lib/report.ts';
import { spreadOf } from '../lib/statistics.ts';
import { startCallers } from '../paths/callers.ts';
import { create, mixed, pay } from '../paths/chapters.ts';
import { startOn } from '../paths/contestants.ts';

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
/** Megabytes resident, without Postgres, and seconds. Flat is what grows by less than this in the second half. */
const LIMITS = { idle: 200, load: 400, ready: 2, growth: 0.05 };
const [SAMPLED_MS, SETTLED_MS] = [1_000, 10_000];
const HALF_A_MINUTE = 30;
/** An installation as `npm start` makes it, with a Postgres of its own. */
const EMBEDDED = '';

type Resident = { readonly service: number; readonly starter: number };

/** What started the service counts for itself; what the service started is its Postgres. */
const residentMb = (starter: number): Resident => {
  const listed = execFileSync('ps', ['-axo', 'pid=,ppid=,rss='], { encoding: 'utf8' });
  const rows = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const mb = (row: number[] | undefined): number => (row?.[2] ?? Number.NaN) * (1_024 / 1e6);
  return {
    service: mb(rows.find(([, parent]) => parent === starter)),
    starter: mb(rows.find(([pid]) => pid === starter)),
  };
};

/** By how much it grows from one sample to the next, as the line that fits them best. */
const slopeOf = (samples: readonly number[]): number => {
  const [middle, mean] = [(samples.length - 1) / 2, samples.reduce((sum, each) => sum + each, 0) / samples.length];
  const [above, below] = samples.reduce(
    ([sum, squares], each, nth) => [sum + (nth - middle) * (each - mean), squares + (nth - middle) ** 2],
    [0, 0],
  );
  return above / below;
};

const dataDir = await mkdtemp(join(tmpdir(), 'cointill-memory-'));
const callers = startCallers();
try {
  const contestant = await startOn(EMBEDDED, dataDir, {});
  const parts = { callers, contestant, atOnce: 32 };
  const loaded: number[] = [];
  const sampling = setInterval(() => loaded.push(residentMb(contestant.pid).service), SAMPLED_MS);
  let made = 0;
  for (const until = performance.now() + minutes * 60_000; performance.now() < until; made += deposits * 2) {
    const created = await create(parts, deposits);
    await pay(parts, created.made);
    await mixed(parts, created.made);
  }
  clearInterval(sampling);
  await contestant.stop();

  const ready: number[] = [];
  const idle: Resident[] = [];
  for (let n = 0; n < starts; n++) {
    const begin = performance.now();
    const child = serviceOn(EMBEDDED, dataDir, { DEMO: 'true' });
    await addressOf(child);
    ready.push((performance.now() - begin) / 1_000);
    await delay(SETTLED_MS);
    idle.push(residentMb(child.pid ?? 0));
    await stopping(child)();
  }

  const halfMinutes = Array.from({ length: Math.ceil(loaded.length / HALF_A_MINUTE) }, (_, nth) =>
    Math.round(spreadOf(loaded.slice(nth * HALF_A_MINUTE, (nth + 1) * HALF_A_MINUTE)).median),
  );
  const secondHalf = loaded.slice(loaded.length >> 1);
  const slope = slopeOf(secondHalf) * (60_000 / SAMPLED_MS);
  const growth = (slopeOf(secondHalf) * secondHalf.length) / spreadOf(secondHalf).median;
  const most = Math.max(...loaded);
  const [idling, beside, starting] = [
    spreadOf(idle.map(({ service }) => service)).median,
    spreadOf(idle.map(({ starter }) => starter)).median,
    spreadOf(ready).median,
  ];
  const held = (figure: number, limit: number): string => `at most ${limit}: ${figure <= limit ? 'kept' : 'MISSED'}`;
  console.log(`${minutes} minutes, ${made} deposits made, half of them paid; MB in each half minute:`);
  console.log(`  ${halfMinutes.join(' ')}`);
  console.log(`  ${slope.toFixed(1)} MB a minute in the second half (growth ${held(growth, LIMITS.growth)})`);
  console.log(`  at its highest ${Math.round(most)} MB (${held(most, LIMITS.load)})`);
  console.log(
    `idle: ${Math.round(idling)} MB (${held(idling, LIMITS.idle)}), and ${Math.round(beside)} of what starts it`,
  );
  console.log(`ready on existing data: ${starting.toFixed(1)} s (${held(starting, LIMITS.ready)})`);
  const figures = { minutes, made, loaded, halfMinutes, slope, idle, ready };
  await writeJson(values.out, { machine: machine(), loadAverage: loadavg(), ...figures });
  const isKept = growth <= LIMITS.growth && most <= LIMITS.load && idling <= LIMITS.idle && starting <= LIMITS.ready;
  process.exitCode = isKept ? 0 : 1;
} finally {
  await callers.stop();
  await rm(dataDir, { recursive: true, force: true });
}
