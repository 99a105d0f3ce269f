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
//                                 [--out bench/results/rebuild.json]
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
    await rebuild();
    const meanwhile = await reads.take();
    reads.stop();
    return { alone, meanwhile };
  };
  const reads = values.reads ? await besideReads() : undefined;
  const contestants = { 'cointill: rebuild': rebuild, 'bare: read, parse, COPY': bare.loop, 'COPY alone': bare.copy };
  const measured = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));
  let held: { readonly before: number; readonly most: number } | undefined;
  // By turns, so that the machine's good and bad minutes meet all.
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(contestants)) {
      measured.get(name)?.push(await perSecond(work));
      held ??= { before: memory[0] ?? 0, most: Math.max(...memory) };
    }

  const [ours = [], loop = [], copy = []] = [...measured.values()];
  const rows = [...measured].map(([name, rates]) => {
    const { median, min, max } = spreadOf(rates);
    const of = (others: readonly number[]): string => ratios(rates, others).median.toFixed(2);
    return [name, Math.round(median).toString(), `${Math.round(min)}–${Math.round(max)}`, of(loop), of(copy)];
  });
  console.log(
    table([[`${deposits} deposits, ${events} events`, 'events/s', 'from–to', 'of bare', 'of COPY'], ...rows]),
  );
  const ratio = ratios(ours, loop);
  console.log(
    `\nmemory of a rebuild: ${held?.before} MiB when it began, at most ${held?.most} (the bare loop's, which keeps every deposit: ` +
      `${Math.round(process.resourceUsage().maxRSS / 1_024)})`,
  );
  console.log(
    `rebuild / bare: ${ratio.median.toFixed(2)} (at least ${LIMIT}: ${ratio.median >= LIMIT ? 'kept' : 'MISSED'})`,
  );
  const slower = reads ? reads.meanwhile.ms / reads.alone.ms : 0;
  if (reads)
    console.log(
      `a read of one deposit: ${reads.alone.ms.toFixed(2)} ms alone, ${reads.meanwhile.ms.toFixed(2)} ms ` +
        `(${reads.meanwhile.reads} reads) beside a rebuild: ${slower.toFixed(2)} × ` +
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
  process.exitCode = ratio.median >= LIMIT && slower <= SLOWER ? 0 : 1;
  await bare.close();
  await running.stop();
  await stopWaiting(pool);
  await log.close();
  await pool.end();
} finally {
  await ground.close();
}
