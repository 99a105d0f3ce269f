import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { storeOf } from '../lib/event-store.ts';
import { machine, table, writeJson } from '../lib/report.ts';
import { type Callers, startCallers } from '../paths/callers.ts';
import { create, type Made, pay, tellSeen } from '../paths/chapters.ts';
import type { Contestant } from '../paths/contestants.ts';
import { type Endpoints, openEndpoints } from '../webhooks/endpoints.ts';
import { type Breakdown, breakdownOf, PARTS, share, waysOf } from './breakdown.ts';
import { addCasinos, openParts, type Parts, PLAYERS } from './stage.ts';

// usage: npm run bench -- journey [--webhooks 20000] [--endpoints 50] [--signals 3000] [--seconds 5]
//                                 [--per-second <half of the top rate>] [--store postgres|eventstoredb]
//                                 [--out bench/results/journey.json]
const { values } = parseArgs({
  options: {
    webhooks: { type: 'string', default: '20000' },
    endpoints: { type: 'string', default: '50' },
    signals: { type: 'string', default: '3000' },
    'per-second': { type: 'string' },
    seconds: { type: 'string', default: '5' },
    store: { type: 'string', default: 'postgres' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/journey.json') },
  },
});
const [webhooks, endpointCount] = [Number(values.webhooks), Number(values.endpoints)];
const [signals, seconds] = [Number(values.signals), Number(values.seconds)];
/** Made, paid, screened and confirmed. */
const WEBHOOKS_OF_A_DEPOSIT = 7;

type Stage = { readonly parts: Parts; readonly callers: Callers; readonly endpoints: Endpoints };

const made = async (callers: Callers, casinos: readonly Contestant[], each: number): Promise<readonly Made[]> => {
  const all: Made[] = [];
  for (const contestant of casinos)
    all.push(...(await create({ callers, contestant, atOnce: 16 }, each, { players: PLAYERS })).made);
  return all;
};

/** Until nothing has come for a while. */
const arrivedIn = async ({ endpoints }: Stage, expected: number): Promise<ReadonlyMap<string, number>> => {
  const all = new Map<string, number>();
  for (let idle = 0; idle < 50 && all.size < expected; idle++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const some = await endpoints.arrivals();
    for (const [id, at] of some) all.set(id, at);
    if (some.size > 0) idle = 0;
  }
  return all;
};

/** All is in the log before anybody carries it: relay, bus and sender begin together, in a process of their own. */
const backlog = async (stage: Stage): Promise<{ readonly perSecond: number; readonly count: number }> => {
  const { parts, callers, endpoints } = stage;
  const makers = await parts.start(['api', 'operator', 'engine', 'projector']);
  const casinos = await addCasinos(makers.url, endpoints.urls);
  const deposits = await made(callers, casinos, Math.ceil(webhooks / endpointCount / WEBHOOKS_OF_A_DEPOSIT));
  const [contestant] = casinos;
  if (contestant) await pay({ callers, contestant, atOnce: 8 }, deposits);
  await makers.stop();
  const notifier = await parts.start(['notifier']);
  const arrived = await arrivedIn(stage, deposits.length * WEBHOOKS_OF_A_DEPOSIT);
  await notifier.stop();
  const times = [...arrived.values()].toSorted((a, b) => a - b);
  return { count: times.length, perSecond: (times.length - 1) / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000) };
};

type Told = { readonly sentAt: ReadonlyMap<number, number>; readonly arrived: ReadonlyMap<string, number> };

/** Deposits are made, the engine tells that they were paid, and all of what that brings about arrives. */
const told = async (stage: Stage, casinos: readonly Contestant[], count: number, perSecond?: number): Promise<Told> => {
  const { callers } = stage;
  const [contestant] = casinos;
  if (!contestant) throw new Error('no casino');
  const deposits = await made(callers, casinos, Math.ceil(count / casinos.length));
  // What tells of their making.
  await arrivedIn(stage, deposits.length);
  const sentAt = await tellSeen({ callers, contestant, atOnce: 64 }, deposits, perSecond);
  return { sentAt, arrived: await arrivedIn(stage, deposits.length * 2) };
};

/** Signals a second from the first that was sent to the last arrival, with as many on their way as there are callers. */
const topRateOf = ({ sentAt, arrived }: Told): number =>
  sentAt.size / ((Math.max(...arrived.values()) - Math.min(...sentAt.values())) / 1_000);

type Prompt = {
  readonly topRate: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  readonly parts: Breakdown;
};

/** From the sending of a signal to the first arrival of what it brings about: at full speed, then at half of that. */
const fromSignals = async (stage: Stage): Promise<Prompt> => {
  const { parts, endpoints } = stage;
  const whole = await parts.start();
  const casinos = await addCasinos(whole.url, endpoints.urls);
  const topRate = topRateOf(await told(stage, casinos, signals));
  const perSecond = values['per-second'] === undefined ? Math.round(topRate / 2) : Number(values['per-second']);
  const { sentAt, arrived } = await told(stage, casinos, perSecond * seconds, perSecond);
  await whole.stop();
  const ways = await waysOf(parts.databaseUrl, sentAt, arrived);
  const sorted = ways.map(({ whole }) => whole).toSorted((a, b) => a - b);
  const [p50, p99] = [share(sorted, 0.5), share(sorted, 0.99)];
  return { topRate, perSecond, p50, p99, count: sorted.length, parts: breakdownOf(ways) };
};

const dataDir = await mkdtemp(join(tmpdir(), 'cointill-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir });
// A log belongs to one database: each part has its own.
const stores = [await storeOf(values.store), await storeOf(values.store)] as const;
const [callers, endpoints] = [startCallers(), await openEndpoints(endpointCount)];
try {
  const parts = (end: string) => openParts(postgres.url, dataDir + end, stores[end === '-a' ? 0 : 1].settings);
  const behind = await backlog({ parts: await parts('-a'), callers, endpoints });
  const prompt = await fromSignals({ parts: await parts('-b'), callers, endpoints });
  const rows = [
    ['journey', 'figure', 'webhooks', 'to reach'],
    ['backlog in the log → endpoints, a second', behind.perSecond.toFixed(0), String(behind.count), '≥ 5000'],
    ['signal → endpoint, top rate, signals a second', prompt.topRate.toFixed(0), String(signals), ''],
    [`signal → endpoint at ${prompt.perSecond}/s, p50 ms`, prompt.p50.toFixed(1), String(prompt.count), '≤ 15'],
    [`signal → endpoint at ${prompt.perSecond}/s, p99 ms`, prompt.p99.toFixed(1), String(prompt.count), '≤ 80'],
  ];
  console.log(table(rows));
  const ofParts = PARTS.map((part) => [part, prompt.parts[part].p50.toFixed(1), prompt.parts[part].p99.toFixed(1)]);
  console.log(`\n${table([['of that', 'p50 ms', 'p99 ms'], ...ofParts])}`);
  const carriers = `log on ${values.store}, bus on Postgres, durable commits`;
  const configuration = `${carriers}; the backlog by a notifier alone, signals by one process`;
  await writeJson(values.out, {
    machine: machine(),
    loadAverage: loadavg(),
    configuration,
    endpoints: endpointCount,
    behind,
    prompt,
  });
} finally {
  await callers.stop();
  endpoints.close();
  for (const { stop } of stores) console.log(await stop());
  await postgres.stop();
  await Promise.all(['', '-a', '-b'].map((end) => rm(dataDir + end, { recursive: true, force: true })));
}
