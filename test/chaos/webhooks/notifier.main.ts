import { silentLogger } from '#platform/logging';
import { createWebhookClient } from '#webhooks';
import { startNotifier } from '../../../apps/notifier/index.ts';
import { openWorkplace, sayReady } from './workplace.ts';

const { orders, pool, bus, partners } = await openWorkplace();
const { attemptLimitMs } = orders;
await startNotifier({
  bus,
  pool,
  client: createWebhookClient({ allowPrivate: true, timeLimitMs: attemptLimitMs }),
  webhookOf: partners.webhookOf,
  logger: silentLogger,
  scheduling: { leaseMs: 2 * attemptLimitMs },
});
sayReady();
