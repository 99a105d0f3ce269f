import type pg from 'pg';
import {
  type ApplySignals,
  migrations as commandMigrations,
  depositEventOf,
  depositStream,
  openDepositCommands,
} from '#deposit-commands';
import type { DepositEvent } from '#deposits';
import type { EventLog, JsonObject } from '#event-log';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { type LegacyCommands, migrations as legacyMigrations, openLegacyCommands } from '#legacy-commands';
import { decimalText } from '#money';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { type Projection, migrations as readMigrations, startProjection, stopWaiting } from '#read-models';
import { createTakeSignals, migrations, type TakeParts, type TakeSignals } from '../index.ts';
import { quoteOf } from './quote.ts';

export type TestEngine = {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly applySignals: ApplySignals;
  readonly legacy: LegacyCommands;
  readonly takeSignals: TakeSignals;
  /** Issues a quote of 2 LTC; the id is the caller's choice. */
  readonly issue: (depositId: number, changes?: { readonly now?: string; readonly noConf?: boolean }) => Promise<void>;
  readonly eventsOf: (depositId: number) => Promise<readonly DepositEvent[]>;
  readonly project: (projection: Projection) => void;
  readonly close: () => Promise<void>;
};

const notHere = async (): Promise<never> => {
  throw new Error('not a part of these tests');
};

const openCommands = (pool: pg.Pool, log: EventLog) =>
  openDepositCommands({
    pool,
    log,
    logger: silentLogger,
    bodyKey: Buffer.from('a key of tests'),
    currentRate: async () => decimalText('50'),
    isEnabled: notHere,
    isReturningPlayer: notHere,
    casino: notHere,
    checkPlayer: notHere,
    takeAddress: notHere,
    takeAddressWithin: notHere,
    ofacDeadlineSeconds: 60,
    addressWaitMs: 0,
  });

const openLegacy = (pool: pg.Pool, log: EventLog) =>
  openLegacyCommands({
    ...{ pool, log, addressWaitMs: 0, giving: (take) => take() },
    onForeignTransaction: () => undefined,
    currentRate: async () => decimalText('50'),
    takeAddress: async (_, id) => `address of ${id}`,
  });

export const engineTables = [logMigrations, commandMigrations, legacyMigrations, readMigrations, migrations];

/** One instance on a database with its tables, which may have others, with the real log and the real commands. */
export const openTestEngine = async (url: string, changes: Partial<TakeParts> = {}): Promise<TestEngine> => {
  const pool = createPool({ url, applicationName: 'test', logger: silentLogger });
  const log = await openPostgresEventLog({ databaseUrl: url });
  const { applySignals } = openCommands(pool, log);
  const legacy = openLegacy(pool, log);
  const running: ReturnType<typeof startProjection>[] = [];
  return {
    pool,
    log,
    applySignals,
    legacy,
    takeSignals: createTakeSignals({
      logIsBeside: true,
      pool,
      log,
      applySignals,
      applyToTransaction: legacy.applySignals,
      ownerOfAddress: async () => undefined,
      logger: silentLogger,
      ...changes,
    }),
    issue: async (depositId, { now = new Date().toISOString(), noConf = false } = {}) => {
      const { type, data } = quoteOf(depositId, now, noConf);
      await log.append(depositStream(depositId), 'no_stream', [
        { id: crypto.randomUUID(), type, data: data as unknown as JsonObject, metadata: { occurredAt: now } },
      ]);
    },
    eventsOf: async (depositId) => {
      const events: DepositEvent[] = [];
      for await (const event of log.read(depositStream(depositId))) events.push(depositEventOf(event));
      return events;
    },
    project: (projection) => {
      running.push(startProjection({ projection, log, pool, logger: silentLogger }));
    },
    close: async () => {
      await Promise.all(running.map((each) => each.stop()));
      await stopWaiting(pool);
      await log.close();
      await pool.end();
    },
  };
};
