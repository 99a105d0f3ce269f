import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect } from '@jest/globals';
import type pg from 'pg';
import { migrations as ofAudit } from '#audit';
import { migrations as ofCounters } from '#counters';
import { depositStream, knownEvents, migrations as ofDeposits } from '#deposit-commands';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { keepLog, migrations as ofInstances } from '#instances';
import { migrations as ofPartners } from '#partners';
import { readConfiguration } from '#platform/configuration';
import { createHealth } from '#platform/health';
import { createLog } from '#platform/logging';
import { migrations as ofReadModels } from '#read-models';
import { migrations as ofReceipts } from '#receipts';
import { migrations as ofWebhooks } from '#webhooks';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { readLabel } from '../label.ts';
import { createNameOfLog } from '../name-of-log.ts';
import { holdToEngine } from '../one-engine.ts';
import { holdToInstallation } from '../one-installation.ts';
import { StartError } from '../start-error.ts';
import { ownStreams } from '../stores.ts';
import { heldBack } from '../until-ours.ts';

const TABLES = [ofPartners, ofInstances, ofDeposits, ofCounters, ofReadModels, ofReceipts, ofWebhooks, ofAudit];

export const LABEL = 'cointill-installation';
export const EXTERNAL = { ENGINE: 'external' };

type Settings = Readonly<Record<string, string>>;
type Told = Readonly<Record<string, unknown>>;

export const alertsOf = ({ told }: { readonly told: readonly Told[] }) => told.flatMap(({ alert }) => alert ?? []);

export const keptIn = async (pool: pg.Pool) =>
  (await pool.query('SELECT installation AS id FROM installation_log')).rows[0]?.id;

export const aDeposit = {
  id: randomUUID(),
  type: 'QuoteIssued',
  data: {},
  metadata: { occurredAt: '2026-11-01T00:00:00.000Z' },
};

const NOWHERE = `${'0'.repeat(20)}.${'0'.repeat(20)}`;

/** As a service has that counted a deposit; which no log of a test holds, where none is said. */
export const hasCounted = (pool: pg.Pool, position = NOWHERE, id = randomUUID()) =>
  pool.query("INSERT INTO counted_through (position, stream, revision, event_id) VALUES ($1, 'deposit-1', 0, $2)", [
    position,
    id,
  ]);

const readLog = (log: ReturnType<typeof openEventStoreDbEventLog>) => ({
  label: async () => (await readLabel(log.label)).owner,
  labelEvents: () => log.label.read<readonly string[]>((types, { type }) => [...types, type], []),
  /** In a log that no release has named yet. */
  historyOfBefore: async () => (await log.append(depositStream(1), 'no_stream', [aDeposit])).position,
});

/** For each test two databases and one server, or more; all that was opened is closed after it. */
export const installationsPerTest = () => {
  const [own, other] = [databasePerTest(...TABLES), databasePerTest(...TABLES)];
  const undo: (() => unknown)[] = [];
  let standIn: StandIn;

  const startServer = async (): Promise<void> => {
    const started = await startStandIn({ port: await freePort() });
    undo.push(() => started.kill());
    standIn = started;
  };
  beforeEach(startServer);
  afterEach(async () => {
    for (const each of undo.splice(0).reverse()) await each();
  });

  const openLog = () => {
    const foreign: string[] = [];
    const onForeign = (stream: string): void => void foreign.push(stream);
    const log = openEventStoreDbEventLog({ url: standIn.url, ownStreams, known: knownEvents, onForeign, pastMs: 100 });
    undo.push(log.close);
    return { log, foreign };
  };

  const lifecycle = {
    onStop: (_: string, __: string, stop: () => unknown) => {
      undo.push(stop);
      return () => undefined;
    },
  };

  const open = async (pool: pg.Pool, settings: Settings) => {
    const { log: bare, foreign } = openLog();
    await keepLog(pool, 'eventstoredb');
    const { log, ...claim } = heldBack(bare);
    undo.push(log.close);
    const told: Told[] = [];
    const left: string[] = [];
    const { logger } = createLog({ level: 'warn', to: { write: (line) => void told.push(JSON.parse(line)) } });
    const store = { EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: standIn.url };
    return {
      ...{ log, pool, logger, told, left, foreign, health: createHealth(), name: 'cointill' },
      claim: { label: bare.label, log: bare, ...claim, name: createNameOfLog() },
      configuration: readConfiguration({ ...store, ...settings }),
      lifecycle,
      onAnotherLog: (reason: string) => void left.push(reason),
      onAnotherEngine: (reason: string) => void left.push(reason),
      waitMs: 700,
    };
  };

  /** As a service starts, which is then stopped. */
  const start = async (pool: pg.Pool, settings: Settings, holdEngine?: () => Promise<void>) => {
    const parts = await open(pool, settings);
    const held = async (): Promise<void> => (await holdToEngine(parts)).stop();
    await holdToInstallation(parts, holdEngine ?? held);
    return parts;
  };

  const refused = async (pool: pg.Pool, settings: Settings): Promise<string> => {
    const error = await start(pool, settings).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  };

  return {
    ...{ own, other, undo, startServer, openLog, open, start, refused },
    get standIn() {
      return standIn;
    },
    goBackTo: (one: StandIn): void => {
      standIn = one;
    },
    label: () => readLog(openLog().log).label(),
    labelEvents: () => readLog(openLog().log).labelEvents(),
    historyOfBefore: () => readLog(openLog().log).historyOfBefore(),
  };
};
