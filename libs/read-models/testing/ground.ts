import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { EventLog, NewEvent } from '#event-log';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { addToRow, insertRow } from '../changes/row-change.ts';
import { migrations } from '../index.ts';
import type { Projection, ProjectionLogger } from '../projection.ts';
import type { TabledProjection } from '../rebuild/rebuild.ts';
import { startProjection } from '../runner/start-projection.ts';
import { type Projections, startProjections } from '../running/start-projections.ts';
import { stopWaiting } from '../waiting/wait-for-position.ts';

export const PAYMENTS = `
  CREATE TABLE payments (id uuid PRIMARY KEY, amount numeric NOT NULL CHECK (amount > 0));
  CREATE TABLE casino_totals (casino text PRIMARY KEY, payments bigint NOT NULL, amount numeric NOT NULL);
  CREATE TABLE applications (event_id uuid PRIMARY KEY, times integer NOT NULL)`;

/** Counts how often it applied each event, without a key that would refuse the second time. */
export const applications: Projection = {
  name: 'applications',
  version: 1,
  project: (event) => [addToRow('applications', { event_id: event.id }, { times: 1 })],
};

export const payments: Projection = {
  name: 'payments',
  version: 1,
  filter: { types: ['PaymentSeen'] },
  project: ({ id, data }) => [
    insertRow('payments', { id }, { amount: data.amount ?? null }),
    addToRow('casino_totals', { casino: data.casino ?? 'c-1' }, { payments: 1, amount: String(data.amount) }),
  ],
};

export const PAYMENTS_AND_TABLES: TabledProjection = { projection: payments, tables: ['payments', 'casino_totals'] };

export const payment = (amount: string, type = 'PaymentSeen'): NewEvent => ({
  id: randomUUID(),
  type,
  data: { amount, casino: 'c-1' },
  metadata: { occurredAt: '2026-01-01T00:00:00.000Z' },
});

type Line = { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly fields: object; readonly message: string };

export const listenTo = () => {
  const lines: Line[] = [];
  const say = (level: Line['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  const logger: ProjectionLogger = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  return { logger, lines };
};

export type Ground = {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly start: (projection: Projection, batchSize?: number) => ReturnType<typeof startProjection>;
  /** As an app does: with rebuilds. */
  readonly startAll: (projections: readonly TabledProjection[], batchSize?: number) => Projections;
  /** What the runners said. */
  readonly lines: readonly Line[];
  readonly close: () => Promise<void>;
};

export const groundTables = [logMigrations, migrations];

/** A log and the runners of projections on a database with their tables; the runners end with it. */
export const openGround = async (
  url: string,
  connections = 10,
  pool = new pg.Pool({ connectionString: url, max: connections }),
): Promise<Ground> => {
  pool.on('error', () => undefined);
  const log = await openPostgresEventLog({ databaseUrl: url });
  const { logger, lines } = listenTo();
  const running: { readonly stop: () => Promise<void> }[] = [];
  return {
    url,
    pool,
    log,
    lines,
    start: (projection, batchSize) => {
      const started = startProjection({ projection, log, pool, logger, ...(batchSize !== undefined && { batchSize }) });
      running.push(started);
      return started;
    },
    startAll: (projections, batchSize) => {
      const started = startProjections({ projections, log, pool, logger, batchSize });
      running.push(started);
      return started;
    },
    close: async () => {
      await Promise.all(running.map((each) => each.stop()));
      await stopWaiting(pool);
      await log.close();
      await pool.end();
    },
  };
};
