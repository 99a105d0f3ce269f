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
import { startCommits } from './commits.ts';
import { addCasinos, openParts, type Parts, PLAYERS } from './stage.ts';

// usage: npm run bench -- journey [--webhooks 20000] [--endpoints 50] [--signals 3000] [--seconds 5] [--rounds 3]
//                                 [--per-second <half of the top rate>] [--store postgres|eventstoredb]
//                                 [--out bench/results/journey.json]
const { values } = parseArgs({
  options: {
    webhooks: { type: 'string', default: '20000' },
    endpoints: { type: 'string', default: '50' },
    signals: { type: 'string', default: '3000' },
    'per-second': { type: 'string' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    store: { type: 'string', default: 'postgres' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/journey.json') },
  },
});
const [webhooks, endpointCount] = [Number(values.webhooks), Number(values.endpoints)];
const [signals, seconds, rounds] = [Number(values.signals), Number(values.seconds), Number(values.rounds)];
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

type Round = {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  readonly parts: Breakdown;
  /** What a bare commit took in the same seconds. */
  readonly commit: { readonly p50: number; readonly p99: number };
};

type Prompt = { readonly topRate: number; readonly perSecond: number; readonly rounds: readonly Round[] };

const ends = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: share(sorted, 0.5), p99: share(sorted, 0.99) };
};

const roundOf = async (stage: Stage, casinos: readonly Contestant[], perSecond: number): Promise<Round> => {
  const commits = await startCommits(stage.parts.databaseUrl);
  const { sentAt, arrived } = await told(stage, casinos, perSecond * seconds, perSecond);
  const commit = ends(await commits.stop());
  const ways = await waysOf(stage.parts.databaseUrl, sentAt, arrived);
  return { ...ends(ways.map(({ whole }) => whole)), count: ways.length, parts: breakdownOf(ways), commit };
};

/** From the sending of a signal to the first arrival of what it brings about: at full speed, then at half of that. */
const fromSignals = async (stage: Stage): Promise<Prompt> => {
  const whole = await stage.parts.start();
  const casinos = await addCasinos(whole.url, stage.endpoints.urls);
  const topRate = topRateOf(await told(stage, casinos, signals));
  const perSecond = values['per-second'] === undefined ? Math.round(topRate / 2) : Number(values['per-second']);
  const measured: Round[] = [];
  for (let n = 0; n < rounds; n++) measured.push(await roundOf(stage, casinos, perSecond));
  await whole.stop();
  return { topRate, perSecond, rounds: measured };
};

/** The middle of the rounds, and their ends. */
const spread = (figures: readonly number[]): string => {
  const sorted = figures.toSorted((a, b) => a - b);
  const text = (figure: number | undefined) => (figure ?? Number.NaN).toFixed(1);
  return `${text(share(sorted, 0.5))} (${text(sorted[0])}–${text(sorted.at(-1))})`;
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
  const of = (figure: (round: Round) => number): string => spread(prompt.rounds.map(figure));
  const arrivals = String(prompt.rounds.reduce((sum, { count }) => sum + count, 0));
  const rows = [
    ['journey', 'figure', 'webhooks', 'to reach'],
    ['backlog in the log → endpoints, a second', behind.perSecond.toFixed(0), String(behind.count), '≥ 5000'],
    ['signal → endpoint, top rate, signals a second', prompt.topRate.toFixed(0), String(signals), ''],
    [`signal → endpoint at ${prompt.perSecond}/s, p50 ms`, of(({ p50 }) => p50), arrivals, '≤ 15'],
    [`signal → endpoint at ${prompt.perSecond}/s, p99 ms`, of(({ p99 }) => p99), arrivals, '≤ 80'],
  ];
  console.log(table(rows));
  const ofParts = PARTS.map((part) => [part, of(({ parts }) => parts[part].p50), of(({ parts }) => parts[part].p99)]);
  const bare = ['a bare commit beside it', of(({ commit }) => commit.p50), of(({ commit }) => commit.p99)];
  console.log(`\n${table([['of that', 'p50 ms', 'p99 ms'], ...ofParts, bare])}`);
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
