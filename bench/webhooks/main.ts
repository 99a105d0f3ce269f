import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { machine, writeJson } from '../lib/report.ts';
import { fillDone } from './fill-done.ts';
import { bare, latencies, ours } from './measure.ts';
import { type Figures, judge, printFigures } from './results.ts';
import { openStage, type Stage } from './stage.ts';

// usage: npm run bench -- webhooks [--rounds 7] [--deliveries 10000] [--per-second 100] [--done 1000000]
//                                  [--out bench/results/webhooks.json]
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    deliveries: { type: 'string', default: '10000' },
    'per-second': { type: 'string', default: '100' },
    done: { type: 'string', default: '1000000' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/webhooks.json') },
  },
});
const [rounds, deliveries] = [Number(values.rounds), Number(values.deliveries)];
const [perSecond, done] = [Number(values['per-second']), Number(values.done)];
const ENDPOINTS = 20;
const LATENCIES_FOR_S = 10;

/** By turns, so that the machine's good and bad minutes meet both. */
const measure = async (stage: Stage, doneRows: number): Promise<Figures> => {
  await stage.pool.query('CHECKPOINT');
  // Once around first: connections, caches and the just-in-time compiler.
  for (const send of [ours, bare, ours, bare]) await send(stage, deliveries);
  const figures = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await ours(stage, deliveries));
    figures.bare.push(await bare(stage, deliveries));
  }
  const times = await latencies(stage, perSecond * LATENCIES_FOR_S, perSecond);
  process.stderr.write(`measured beside ${doneRows} old deliveries\n`);
  return { doneRows, ...figures, latenciesMs: times.toSorted((a, b) => a - b) };
};

const run = async (url: string): Promise<readonly [Figures, Figures]> => {
  const stage = await openStage(url, ENDPOINTS);
  try {
    const none = await measure(stage, 0);
    await fillDone(stage, done);
    for (const table of ['webhook_deliveries', 'webhook_bodies', 'webhook_attempts'])
      await stage.pool.query(`VACUUM ANALYZE ${table}`);
    return [none, await measure(stage, done)];
  } finally {
    await stage.close();
  }
};

const dataDir = await mkdtemp(join(tmpdir(), 'cointill-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir });
try {
  const [none, many] = await run(postgres.url);
  const verdict = judge(none, many);
  console.log(`${printFigures([none, many], deliveries)}\n\n${verdict.lines.join('\n')}`);
  const summary = { machine: machine(), loadAverage: loadavg(), rounds, deliveries, perSecond, endpoints: ENDPOINTS };
  await writeJson(values.out, { ...summary, ...verdict.figures, none, many });
  console.log(`every figure: ${values.out}`);
  if (!verdict.kept) process.exitCode = 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
