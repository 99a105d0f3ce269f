import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { storeOf } from '../lib/event-store.ts';
import { machine, writeJson } from '../lib/report.ts';
import { type Callers, startCallers } from './callers.ts';
import { accept, CALLS_MIXED, create, list, type Made, mixed, pay, read } from './chapters.ts';
import { type Contestant, PLAYERS, startBare, startOurs } from './contestants.ts';
import type { Done } from './job.ts';
import { add, draw, type Figures, printFigures } from './results.ts';

// usage: npm run bench -- paths [--rounds 5] [--deposits 1500] [--callers 32] [--statements]
//                               [--store postgres|eventstoredb]
//                               [--out bench/results/paths.json]
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    deposits: { type: 'string', default: '1500' },
    callers: { type: 'string', default: '32' },
    statements: { type: 'boolean', default: false },
    store: { type: 'string', default: 'postgres' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/paths.json') },
  },
});
const [rounds, deposits, atOnce] = [Number(values.rounds), Number(values.deposits), Number(values.callers)];
const WARM_UPS = 1;
const [READS_EACH, LISTS_OF, OF_OTHERS, ALONE] = [3, 0.4, 0.5, 100];

const rate = ({ seconds }: Done, count: number): number => count / seconds;

const at = ({ latenciesMs }: Done, share: number): number =>
  latenciesMs.toSorted((a, b) => a - b)[Math.ceil(latenciesMs.length * share) - 1] ?? 0;

const middle = (done: Done): number => at(done, 0.5);

/** Paid, so that they can be accepted; the bare service asks for no payment. */
const paid = async (parts: Parameters<typeof create>[0], count: number): Promise<readonly Made[]> => {
  const { made } = await create(parts, count);
  if (parts.contestant.name === 'ours') await pay(parts, made);
  return made;
};

/** Latencies in an open model, at half of the rate that the closed one came to. */
const open = async (
  parts: Parameters<typeof create>[0],
  createRate: number,
  made: readonly Made[],
  readRate: number,
) => {
  const half = (perSecond: number) => ({ ...parts, atOnce: 200, perSecond: perSecond / 2 });
  const created = await create(half(createRate), Math.ceil(createRate));
  const reads = await read(half(readRate), made, Math.ceil(readRate));
  return {
    'create at half p50 ms': at(created, 0.5),
    'create at half p99 ms': at(created, 0.99),
    'read at half p50 ms': at(reads, 0.5),
    'read at half p99 ms': at(reads, 0.99),
  };
};

/** Every chapter once, on deposits of its own. */
const round = async (callers: Callers, contestant: Contestant): Promise<Record<string, number>> => {
  const many = { callers, contestant, atOnce };
  const one = { callers, contestant, atOnce: 1 };
  const created = await create(many, deposits);
  const alone = await create(one, ALONE);
  const signals = contestant.name === 'ours' ? await pay(many, created.made) : undefined;
  if (contestant.name === 'ours') await pay(one, alone.made);
  const accepted = await accept(many, created.made);
  const acceptedAlone = await accept(one, alone.made);
  const reads = await read(many, created.made, deposits * READS_EACH);
  const readsAlone = await read(one, created.made, ALONE * READS_EACH);
  const lists = await list(many, deposits * LISTS_OF);
  const some = Math.ceil(deposits * OF_OTHERS);
  // A player has one open fast deposit at a time.
  const each = Math.min(some, PLAYERS);
  const fast = await create(many, each, { kind: 'fast' });
  if (contestant.name === 'ours') await pay(many, fast.made);
  const keyed = await create(many, some, { kind: 'keyed' });
  const together = await mixed(many, await paid(many, some));
  const rates = { create: rate(created, deposits), read: rate(reads, deposits * READS_EACH) };
  return {
    create: rates.create,
    'create fast': rate(fast, each),
    'create keyed': rate(keyed, some),
    'read one': rates.read,
    'list 50': rate(lists, deposits * LISTS_OF),
    accept: rate(accepted, deposits),
    mixed: rate(together, some * CALLS_MIXED),
    ...(signals && { signals: rate(signals, deposits * 4) }),
    'create alone ms': middle(alone),
    'read alone ms': middle(readsAlone),
    'accept alone ms': middle(acceptedAlone),
    ...(await open(many, rates.create, created.made, rates.read)),
  };
};

const TOP = `
  SELECT calls, round(total_exec_time::numeric) AS ms, round(mean_exec_time::numeric, 3) AS mean_ms, wal_bytes,
    left(regexp_replace(query, '\\s+', ' ', 'g'), 130) AS query
  FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = 'ours'
  ORDER BY total_exec_time + total_plan_time DESC LIMIT 40`;

const dataDir = await mkdtemp(join(tmpdir(), 'cointill-bench-'));
const counting = values.statements
  ? { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' }
  : {};
const postgres = await startEmbeddedPostgres({ dataDir, settings: counting });
const admin = new pg.Client({ connectionString: postgres.url });
await admin.connect();
if (values.statements) await admin.query('CREATE EXTENSION pg_stat_statements');
const contestants: Contestant[] = [];
const store = await storeOf(values.store);
const callers = startCallers();
try {
  const ours = await startOurs(postgres.url, dataDir, store.settings);
  contestants.push(ours);
  const { made } = await create({ callers, contestant: ours, atOnce: 1 }, 1);
  await pay({ callers, contestant: ours, atOnce: 1 }, made);
  await accept({ callers, contestant: ours, atOnce: 1 }, made);
  const bare = await startBare(postgres.url, ours, made[0]?.deposit_id ?? 0);
  contestants.push(bare);
  const figures: Figures = {};
  // By turns, so that the machine's good and bad minutes meet both.
  for (let n = -WARM_UPS; n < rounds; n++) {
    if (n === 0 && values.statements) await admin.query('SELECT pg_stat_statements_reset()');
    for (const contestant of contestants) {
      const measured = await round(callers, contestant);
      if (n >= 0) add(figures, contestant.name, measured);
    }
    process.stderr.write(`round ${n + 1} of ${rounds}, load ${loadavg()[0]?.toFixed(1)}\n`);
  }
  if (values.statements) console.table((await admin.query(TOP)).rows);
  console.log(printFigures(figures));
  const what = { machine: machine(), loadAverage: loadavg(), rounds, deposits, callers: atOnce };
  const configuration = `one process (npm start), ENGINE=external, log on ${values.store}, bus on Postgres, durable commits`;
  await writeJson(values.out, { ...what, configuration, figures });
  await draw(values.out.replace(/\.json$/, '.svg'), figures);
} finally {
  await callers.stop();
  for (const { stop } of contestants.toReversed()) await stop();
  console.log(await store.stop());
  await admin.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
