import { openPostgresEventLog } from '#event-log/postgres';
import { silentLogger } from '#platform/logging';
import { createWebhookClient } from '#webhooks';
import { startNotifier } from '../../../apps/notifier/sending/index.ts';
import { openWorkplace, sayReady } from './workplace.ts';

const { orders, pool, bus, partners, seal } = await openWorkplace();
const { attemptLimitMs } = orders;
await startNotifier({
  bus,
  busIsBeside: orders.carrier.kind === 'postgres',
  pool,
  client: createWebhookClient({ allowPrivate: true, timeLimitMs: attemptLimitMs }),
  origin: { seal, casino: partners.casino, log: await openPostgresEventLog({ databaseUrl: orders.databaseUrl }) },
  settings: partners,
  knownSettings: partners.known,
  logger: silentLogger,
  // So few places in all that the endpoints that hang would soon hold them all, if they were let.
  scheduling: { leaseMs: 2 * attemptLimitMs, limits: { total: 64 } },
});
sayReady();
