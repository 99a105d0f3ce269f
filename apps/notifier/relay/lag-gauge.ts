import type pg from 'pg';
import { Gauge } from 'prom-client';
import { depositStreamPrefix } from '#deposit-commands';
import { type EventLog, secondsBehind } from '#event-log';
import type { Metrics } from '#platform/metrics';
import { readRelayPosition } from '#webhooks';

export type LagGround = { readonly log: Pick<EventLog, 'readAll'>; readonly pool: pg.Pool };

const lagSeconds = async ({ log, pool }: LagGround): Promise<number> => {
  const filter = { streamPrefixes: [depositStreamPrefix] };
  return (await secondsBehind(log, { position: await readRelayPosition(pool), filter })) ?? 0;
};

/** Asked at every scrape. A relay that stands tells nobody: its partners hear nothing, and no delivery is due. */
export const registerRelayLag = ({ registry }: Pick<Metrics, 'registry'>, ground: LagGround): void => {
  new Gauge({
    name: 'webhook_relay_lag_seconds',
    help: 'Age of the oldest event of a deposit that is not on the bus yet',
    registers: [registry],
    async collect() {
      // What is not known has to look so: a lag of nothing would silence the alarm when the database is gone.
      this.set(await lagSeconds(ground).catch(() => Number.NaN));
    },
  });
};
