import type pg from 'pg';
import { type EventLog, secondsBehind } from '#event-log';
import { type Metrics, registerGauge } from '#platform/metrics';
import { readRelay, readRelayPosition, relayed } from '#webhooks';

export type LagParts = { readonly log: Pick<EventLog, 'readAll'>; readonly pool: pg.Pool };

const lagSeconds = async ({ log, pool }: LagParts): Promise<number> =>
  (await secondsBehind(log, { position: await readRelayPosition(pool), filter: relayed })) ?? 0;

/** A relay that stands tells nobody: its partners hear nothing, and no delivery is due. */
export const registerRelayLag = (metrics: Pick<Metrics, 'registry'>, parts: LagParts): void =>
  registerGauge(metrics, {
    name: 'webhook_relay_lag_seconds',
    help: 'Age of the oldest event of a deposit or an older transaction that is not on the bus yet',
    ask: () => lagSeconds(parts),
  });

/** Nothing is carried until somebody acts: the log lacks what was carried. */
export const registerRelayStopped = (metrics: Pick<Metrics, 'registry'>, { pool }: Pick<LagParts, 'pool'>): void =>
  registerGauge(metrics, {
    name: 'webhook_relay_stopped',
    help: '1 while nothing is carried, since the log does not hold what was carried last',
    ask: async () => Number((await readRelay(pool)).stopped !== undefined),
  });
