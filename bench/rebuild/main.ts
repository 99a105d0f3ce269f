import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPostgresEventLog } from '#event-log/postgres';
import { projections } from '#ground';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { startProjections, stopWaiting } from '#read-models';
import { filled, openGround } from '../lib/filled.ts';
import { machine, table, writeJson } from '../lib/report.ts';
import { ratios, spreadOf } from '../lib/statistics.ts';
import { openBare } from './bare.ts';
import { startReads } from './reads.ts';

// usage: npm run bench -- rebuild [--deposits 20000] [--rounds 3] [--no-reads] [--data <directory>]
//                                 [--out bench/results/rebuild.json]; --rounds 0: reads beside one rebuild, and its memory
const { values } = parseArgs({
  options: {
    deposits: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    data: { type: 'string' },
    reads: { type: 'boolean', default: true },
    out: { type: 'string', default: join(import.meta.dirname, '../results/rebuild.json') },
  },
  allowNegative: true,
});
const [deposits, rounds] = [Number(values.deposits), Number(values.rounds)];
const NAME = 'deposits';
/** Of the bare loop. */
const LIMIT = 0.5;
/** So many times as long may a read take meanwhile. */
const SLOWER = 1.5;
const ALONE_MS = 3_000;

const ground = await openGround(values.data);
try {
  const { url, events } = await filled(ground.url, deposits);
  const log = await openPostgresEventLog({ databaseUrl: url });
  const pool = createPool({ url, applicationName: 'bench', logger: silentLogger });
  const running = startProjections({ projections, log, pool, logger: silentLogger });

  const memory: number[] = [];
  /** As an operator's is done: asked for, filled beside the live tables, exchanged. */
  const rebuild = async (): Promise<void> => {
    if ((await running.rebuild(NAME)) !== 'started') throw new Error('a rebuild is under way already');
    for (;;) {
      const { rows } = await pool.query<{ state: string }>('SELECT state FROM projection_rebuilds WHERE name = $1', [
        NAME,
      ]);
      memory.push(Math.round(process.memoryUsage.rss() / 2 ** 20));
      if (rows.length === 0) return;
      if (rows[0]?.state === 'failed') throw new Error('the rebuild has failed');
      await delay(20);
    }
  };
  const bare = await openBare(url);
  const perSecond = async (work: () => Promise<void>): Promise<number> => {
    const start = performance.now();
    await work();
    return (events * 1_000) / (performance.now() - start);
  };
  /** One before anybody else has used any memory, so that it is a rebuild's alone; and how long a read takes beside. */
  const besideReads = async () => {
    const reads = startReads(url, deposits);
    await delay(ALONE_MS);
    await reads.take();
    await delay(ALONE_MS);
    const alone = await reads.take();
    const rate = await perSecond(rebuild);
    const meanwhile = await reads.take();
    reads.stop();
    return { alone, meanwhile, rate };
  };
  let held: { readonly before: number; readonly most: number } | undefined;
  const hold = (): void => {
    if (memory.length > 0) held ??= { before: memory[0] ?? 0, most: Math.max(...memory) };
  };
  const reads = values.reads ? await besideReads() : undefined;
  hold();
  const contestants = { 'cointill: rebuild': rebuild, 'bare: read, parse, COPY': bare.loop, 'COPY alone': bare.copy };
  const measured = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));
  // By turns, so that the machine's good and bad minutes meet all.
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(contestants)) {
      measured.get(name)?.push(await perSecond(work));
      hold();
    }

  const [ours = [], loop = [], copy = []] = [...measured.values()];
  const told = rounds > 0 ? [...measured] : [];
  const rows = told.map(([name, rates]) => {
    const { median, min, max } = spreadOf(rates);
    const of = (others: readonly number[]): string => ratios(rates, others).median.toFixed(2);
    return [name, Math.round(median).toString(), `${Math.round(min)}–${Math.round(max)}`, of(loop), of(copy)];
  });
  if (rounds > 0)
    console.log(
      table([[`${deposits} deposits, ${events} events`, 'events/s', 'from–to', 'of bare', 'of COPY'], ...rows]),
    );
  console.log(
    `\nmemory of a rebuild: ${held?.before} MiB when it began, at most ${held?.most} (the bare loop's, which keeps every deposit: ` +
      `${Math.round(process.resourceUsage().maxRSS / 1_024)})`,
  );
  const ratio = rounds > 0 ? ratios(ours, loop) : undefined;
  const isFast = ratio === undefined || ratio.median >= LIMIT;
  if (ratio)
    console.log(`rebuild / bare: ${ratio.median.toFixed(2)} (at least ${LIMIT}: ${isFast ? 'kept' : 'MISSED'})`);
  const slower = reads ? reads.meanwhile.ms / reads.alone.ms : 0;
  if (reads)
    console.log(
      `a read of one deposit: ${reads.alone.ms.toFixed(2)} ms alone, ${reads.meanwhile.ms.toFixed(2)} ms ` +
        `(${reads.meanwhile.reads} reads) beside a rebuild of ${Math.round(reads.rate)} events/s: ${slower.toFixed(2)} × ` +
        `(at most ${SLOWER}: ${slower <= SLOWER ? 'kept' : 'MISSED'})`,
    );
  const figures = {
    deposits,
    events,
    ours,
    bare: loop,
    copy,
    ratio,
    memory: held,
    reads,
  };
  await writeJson(values.out, { machine: machine(), loadAverage: loadavg(), rounds, ...figures });
  process.exitCode = isFast && slower <= SLOWER ? 0 : 1;
  await bare.close();
  await running.stop();
  await stopWaiting(pool);
  await log.close();
  await pool.end();
} finally {
  await ground.close();
}
