import { Counter } from 'prom-client';
import { pruneSignals } from '#engine';
import { pruneMessages } from '#messages';
import { pruneTokens } from '#partners';
import type { Queryable } from '#platform/postgres';
import { hourly } from '#platform/repeat';
import { pruneDeliveries } from '#webhooks';
import type { Ground } from './ground.ts';

type Prune = (db: Queryable, keepDays: number, signal?: AbortSignal) => Promise<number>;

/** What grows with every deposit, guards nothing any more when it is old, and is no history. */
export const startPruning = ({ configuration, lifecycle, logger, metrics, pool }: Ground): void => {
  const { deliveriesDays, messagesDays, tokensDays, signalsDays } = configuration.kept;
  const rules: readonly (readonly [what: string, prune: Prune, keepDays: number])[] = [
    ['webhook_deliveries', pruneDeliveries, deliveriesDays],
    ['outgoing_messages', pruneMessages, messagesDays],
    ['legacy_tokens', pruneTokens, tokensDays],
    ['engine_signals', pruneSignals, signalsDays],
  ];
  const pruned = new Counter({
    name: 'pruned_rows_total',
    help: 'Rows that were let go since they are older than the KEEP_ settings',
    labelNames: ['what'],
    registers: [metrics.registry],
  });
  for (const [what, prune, keepDays] of rules) {
    pruned.inc({ what }, 0);
    const pruning = hourly(
      async (stopping) => pruned.inc({ what }, await prune(pool, keepDays, stopping)),
      logger,
      `old ${what} could not be pruned`,
    );
    lifecycle.onStop('stop-consumers', `the pruning of ${what}`, pruning.stop);
  }
};
