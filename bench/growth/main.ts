import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { filled, openGround } from '../lib/filled.ts';
import { CASINOS } from '../lib/life.ts';
import { machine, table, writeJson } from '../lib/report.ts';
import { ratios, spreadOf } from '../lib/statistics.ts';
import { type Callers, startCallers } from '../paths/callers.ts';
import { accept, create, list, pay, read } from '../paths/chapters.ts';
import type { Contestant } from '../paths/contestants.ts';
import { grown, takeAway } from './grown.ts';

// usage: npm run bench -- growth [--few 10000] [--many 1000000] [--rounds 5] [--deposits 500]
//                                [--data <directory>] [--out bench/results/growth.json]
const { values } = parseArgs({
  options: {
    few: { type: 'string', default: '10000' },
    many: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    deposits: { type: 'string', default: '500' },
    data: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/growth.json') },
  },
});
const [few, many] = [Number(values.few), Number(values.many)];
const [rounds, deposits] = [Number(values.rounds), Number(values.deposits)];
/** What a call costs beside many, of what it costs beside few. */
const LIMIT = 1.2;

/** A thousandth of a second each, of one caller out of 32. */
const costOf = ({ seconds }: { readonly seconds: number }, calls: number): number => (seconds * 1_000) / calls;

const round = async (callers: Callers, contestant: Contestant, beside: number): Promise<Record<string, number>> => {
  const parts = { callers, contestant, atOnce: 32 };
  const created = await create(parts, deposits);
  const signals = await pay(parts, created.made);
  const accepted = await accept(parts, created.made);
  // Of the casino that is asked for is every fiftieth, however long ago.
  const oneOf = (): number => contestant.entityId + CASINOS * Math.floor(Math.random() * (beside / CASINOS - 1));
  const old = created.made.map((made) => ({ ...made, deposit_id: oneOf() }));
  const [reads, lists] = [deposits * 4, deposits];
  return {
    create: costOf(created, deposits),
    signal: costOf(signals, deposits * 4),
    accept: costOf(accepted, deposits),
    'read a new one': costOf(await read(parts, created.made, reads), reads),
    'read an old one': costOf(await read(parts, old, reads), reads),
    'list 50': costOf(await list(parts, lists), lists),
  };
};

const ground = await openGround(values.data);
const callers = startCallers();
const contestants = new Map<number, Contestant>();
try {
  for (const beside of [few, many]) {
    await filled(ground.url, beside);
    contestants.set(beside, await grown(ground, beside));
  }
  const server = new pg.Client({ connectionString: ground.url });
  await server.connect();
  await server.query('CHECKPOINT');
  await server.end();
  const costs: Record<string, Record<number, number[]>> = {};
  // The first warms up. By turns, so that the machine's good and bad minutes meet both.
  for (let n = 0; n <= rounds; n++)
    for (const [beside, contestant] of contestants)
      for (const [chapter, cost] of Object.entries(await round(callers, contestant, beside))) {
        costs[chapter] ??= { [few]: [], [many]: [] };
        if (n > 0) costs[chapter][beside]?.push(cost);
      }
  const grows = Object.entries(costs).map(([chapter, { [few]: small = [], [many]: large = [] }]) => ({
    ...{ chapter, small: spreadOf(small), large: spreadOf(large), ratio: ratios(large, small) },
  }));
  const rows = grows.map(({ chapter, small, large, ratio }) => [
    ...[chapter, small.median.toFixed(2), large.median.toFixed(2)],
    `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`,
    ratio.median <= LIMIT ? 'kept' : 'MISSED',
  ]);
  console.log(table([['ms a call', `beside ${few}`, `beside ${many}`, 'ratio', `at most ${LIMIT}`], ...rows]));
  await writeJson(values.out, { machine: machine(), loadAverage: loadavg(), rounds, deposits, few, many, costs });
  process.exitCode = grows.every(({ ratio }) => ratio.median <= LIMIT) ? 0 : 1;
} finally {
  await callers.stop();
  for (const { stop } of contestants.values()) await stop();
  await takeAway(ground, [few, many]);
  await ground.close();
}
