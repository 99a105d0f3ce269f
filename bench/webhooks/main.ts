import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { silentLogger } from '#platform/logging';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createWebhookClient, migrations, startScheduler, type WebhookOf } from '#webhooks';
import { machine, table, writeJson } from '../lib/report.ts';
import { openEndpoints } from './endpoints.ts';
import { fillDone, latencies, type Post, throughput } from './measure.ts';

// usage: npm run bench -- webhooks [--deliveries 5000] [--per-second 100] [--done 1000000] [--out bench/results/webhooks.json]
const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '5000' },
    'per-second': { type: 'string', default: '100' },
    done: { type: 'string', default: '1000000' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/webhooks.json') },
  },
});
const [count, perSecond, done] = [Number(values.deliveries), Number(values['per-second']), Number(values.done)];
const ENDPOINTS = 20;

const at = (sorted: readonly number[], part: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) * 10) / 10;

const measure = async (post: Post, doneRows: number) => {
  const perSecondReached = Math.round(await throughput(post, count));
  const times = (await latencies(post, perSecond * 10, perSecond)).toSorted((a, b) => a - b);
  return { doneRows, perSecondReached, p50Ms: at(times, 0.5), p99Ms: at(times, 0.99) };
};

const run = async (url: string) => {
  await migrate(url, migrations);
  const pool = createPool({ url, applicationName: 'bench', logger: silentLogger, max: 20, statementTimeoutMs: 0 });
  const endpoints = await openEndpoints(ENDPOINTS);
  const client = createWebhookClient({ allowPrivate: true });
  const webhookOf: WebhookOf = async (entityId) => {
    const target = endpoints.urls[entityId - 1];
    if (target === undefined) return undefined;
    return { url: target, secret: 'shh', previousSecret: null, source: 'entity_override', apiKeyId: null };
  };
  const scheduler = startScheduler({ db: pool, client, webhookOf, logger: silentLogger });
  try {
    const post = { pool, endpoints, webhookOf, scheduler };
    // Once around first: connections, caches and the just-in-time compiler.
    await throughput(post, 500);
    const few = await measure(post, 0);
    process.stderr.write('measured on an empty table; filling it\n');
    await fillDone(pool, done);
    await pool.query('VACUUM ANALYZE webhook_deliveries');
    return [few, await measure(post, done)];
  } finally {
    await scheduler.stop();
    await client.close();
    endpoints.close();
    await pool.end();
  }
};

const dataDir = await mkdtemp(join(tmpdir(), 'cointill-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir });
try {
  const rows = await run(postgres.url);
  const cells = rows.map(({ doneRows, perSecondReached, p50Ms, p99Ms }) =>
    [doneRows, perSecondReached, p50Ms, p99Ms].map(String),
  );
  console.log(table([['done before', 'deliveries/s', 'p50 ms', 'p99 ms'], ...cells]));
  await writeJson(values.out, { machine: machine(), deliveries: count, perSecond, endpoints: ENDPOINTS, rows });
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
