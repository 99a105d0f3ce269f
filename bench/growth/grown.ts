import { setTimeout as delay } from 'node:timers/promises';
import { migrations, openPostgresEventLog } from '#event-log/postgres';
import { migrate } from '#platform/migrations';
import { fillLog } from '../lib/fill-log.ts';
import { database, OPERATOR_TOKEN } from '../lib/processes.ts';
import { type Service, startOn } from '../paths/contestants.ts';

/** The first is that of the first start. */
const AFFILIATE = 2;

type Lag = { readonly projections: readonly { readonly lag_events: number }[] };

const folded = async (url: string): Promise<void> => {
  for (;;) {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const { projections } = (await (await fetch(`${url}/operator/projections`, { headers })).json()) as Lag;
    if (projections.every(({ lag_events }) => lag_events === 0)) return;
    await delay(500);
  }
};

const since = (start: number): number => (performance.now() - start) / 1_000;

/** A service beside that many deposits: true streams, written by the log itself and folded by the service's projections. */
export const grown = async (server: string, dataDir: string, deposits: number): Promise<Service> => {
  const url = await database(server, `beside_${deposits}`);
  await migrate(url, migrations);
  const log = await openPostgresEventLog({ databaseUrl: url });
  const writing = performance.now();
  const events = await fillLog(log, deposits, AFFILIATE);
  await log.close();
  const written = since(writing);
  const folding = performance.now();
  const service = await startOn(url, dataDir, {});
  await folded(service.url);
  const rate = (seconds: number): string => `${Math.round(events / seconds)} events/s`;
  console.log(`${deposits} deposits: written at ${rate(written)}, folded at ${rate(since(folding))}`);
  return service;
};
