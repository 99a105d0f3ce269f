import { startAddressCompletion } from '#deposit-commands';
import { type Repeated, repeat } from '#platform/repeat';
import { openReceipts } from '#receipts';
import { createDeliveryMetrics, type WebhookClient } from '#webhooks';
import { startNotifier } from '../../notifier/index.ts';
import { registerRelayLag, startRelay } from '../../projector/relay/index.ts';
import type { Ground } from '../ground.ts';
import type { ServiceDesk } from './desk.ts';
import { startWhenPossible } from './start-when-possible.ts';

const PRUNE_EVERY_MS = 3_600_000;

const startPruning = ({ logger }: Ground, { commands }: ServiceDesk): Repeated =>
  repeat({
    work: async () => {
      await commands.pruneIdempotencyKeys();
      return false;
    },
    pollMs: PRUNE_EVERY_MS,
    onError: (error) => logger.warn({ err: error }, 'old idempotency keys were not pruned'),
  });

/** What happens after the answers: receipts, addresses that were missing, webhooks. */
export const startFollowers = (ground: Ground, desk: ServiceDesk, client: WebhookClient): void => {
  const { bus, lifecycle, log, logger, metrics, partners, pool } = ground;
  const { addresses, commands, reads } = desk;
  const stopWith = (name: string, stop: () => unknown) => lifecycle.onStop('stop-consumers', name, stop);
  stopWith('the pruning of idempotency keys', startPruning(ground, desk).stop);
  stopWith('the receipts', openReceipts({ pool, logger }).close);
  const completion = startAddressCompletion({
    idsWithoutAddress: reads.idsWithoutAddress,
    takeAddress: addresses.take,
    assignAddress: commands.assignAddress,
    onAvailable: addresses.onAvailable,
    logger,
  });
  stopWith('the completion of deposits without an address', completion.stop);
  stopWith('the relay', startRelay({ log, bus, pool, casino: partners.casino, logger }).stop);
  registerRelayLag(metrics, { log, pool });
  // Made once: a metric has one name.
  const deliveryMetrics = createDeliveryMetrics(metrics, pool);
  const { webhookOf, knownWebhookOf } = partners;
  const parts = { bus, pool, client, webhookOf, knownWebhookOf, logger, metrics: deliveryMetrics };
  startWhenPossible(ground, 'the notifier', () => startNotifier(parts));
};
