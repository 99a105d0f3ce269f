import type { App } from '#door/app';
import {
  checkInstallation,
  emailCarrierFor,
  type Ground,
  refusedWhileLacking,
  startPruning,
  startWhenPossible,
} from '#ground';
import { type Carriers, simulatedCarrier, startSendingMessages } from '#messages';
import { inTransaction } from '#platform/postgres';
import { repeat } from '#platform/repeat';
import { createDeliveryMetrics, createWebhookSeal, resumeReplays } from '#webhooks';
import { createRelayMetrics, registerRelayLag, registerRelayStopped, startRelay } from './relay/index.ts';
import { startNotifier } from './sending/index.ts';

const startRelaying = (ground: Ground): void => {
  const { bus, claim, lifecycle, logger, metrics, partners, pool } = ground;
  const seal = createWebhookSeal(ground.secrets);
  // Nothing is left out for good as of a damaged history, in a log that shows less of whole ones.
  const log = refusedWhileLacking(ground.log, claim);
  const relay = startRelay({ log, bus, pool, settings: partners, seal, logger, metrics: createRelayMetrics(metrics) });
  lifecycle.onStop('stop-consumers', 'the relay', relay.stop);
  registerRelayLag(metrics, { log, pool });
  registerRelayStopped(metrics, { pool });
};

const startSendingWebhooks = (ground: Ground): void => {
  const { bus, configuration, log, logger, partners, pool, webhookClient: client } = ground;
  const origin = { seal: createWebhookSeal(ground.secrets), log, casino: partners.casino };
  const busIsBeside = configuration.bus.kind === 'postgres';
  // Made once: a metric has one name, however often the start is tried.
  const metrics = createDeliveryMetrics(ground.metrics, pool);
  const parts = {
    bus,
    busIsBeside,
    pool,
    client,
    settings: partners,
    knownSettings: partners.known,
    origin,
    logger,
    metrics,
  };
  startWhenPossible(ground, 'the notifier', () => startNotifier(parts));
};

const startResumingReplays = ({ lifecycle, logger, pool }: Ground): void => {
  const resuming = repeat({
    work: (stopping) => resumeReplays((step) => inTransaction(pool, step), stopping),
    pollMs: 5_000,
    onError: (error) => logger.warn({ err: error }, 'replays that were left cannot be gone on with now'),
  });
  lifecycle.onStop('stop-consumers', 'the replays that were left', resuming.stop);
};

const startTellingPlayers = ({ lifecycle, logger, pool }: Ground, carriers: Carriers): void => {
  const sending = startSendingMessages({ pool, logger, carriers });
  lifecycle.onStop('stop-consumers', 'the messages to players', sending.stop);
};

/** What goes out: webhooks from the log to partners, messages to players. */
export const notifier: App = {
  name: 'notifier',
  open: async ({ ground }) => {
    await checkInstallation(ground);
    const carriers = { sms: simulatedCarrier(), email: emailCarrierFor(ground.configuration) };
    return {
      start: () => {
        startRelaying(ground);
        startSendingWebhooks(ground);
        startResumingReplays(ground);
        startTellingPlayers(ground, carriers);
        startPruning(ground);
      },
    };
  },
};
