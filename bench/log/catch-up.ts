import pg from 'pg';
import type { EventLog } from '#event-log';
import { METADATA } from './bare-pg.ts';
import { data } from './contestant.ts';

/** Rows as appends leave them, some from each of many transactions. */
export const fill = async (databaseUrl: string, events: number): Promise<void> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const perTransaction = Math.ceil(events / 50);
  for (let first = 0; first < events; first += perTransaction)
    await client.query(
      `INSERT INTO events (stream, revision, id, type, data, metadata)
       SELECT 'deposit-' || n / 10, n % 10, gen_random_uuid(), 'PaymentSeen', $3, $4
       FROM generate_series($1::bigint, $2::bigint - 1) AS n`,
      [first, Math.min(events, first + perTransaction), JSON.stringify(data), METADATA],
    );
  await client.query('VACUUM ANALYZE events');
  await client.end();
};

const perSecond = async (read: () => Promise<number>): Promise<number> => {
  const start = performance.now();
  const events = await read();
  return (events * 1_000) / (performance.now() - start);
};

/** What pg needs for the same rows in the same order, and nothing made of them. */
export const bareCursor = (client: pg.Client): Promise<number> =>
  perSecond(async () => {
    let rows = 0;
    await client.query('BEGIN');
    await client.query('DECLARE every CURSOR FOR SELECT * FROM events ORDER BY xid, position');
    for (let got = -1; got !== 0; rows += got) got = (await client.query('FETCH 1000 FROM every')).rows.length;
    await client.query('COMMIT');
    return rows;
  });

export const readAll = (log: EventLog): Promise<number> =>
  perSecond(async () => {
    let events = 0;
    for await (const event of log.readAll()) events += event.revision >= 0 ? 1 : 0;
    return events;
  });

/** As a projection catches up: batch by batch, through a subscription. */
export const subscription = (log: EventLog, goal: number): Promise<number> =>
  perSecond(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let events = 0;
    const running = log.subscribe({
      onBatch: async (batch) => {
        events += batch.events.length;
        if (events >= goal) resolve();
      },
    });
    await Promise.race([promise, running.done]);
    await running.stop();
    return events;
  });
