import type pg from 'pg';
import { type Deposit, type DepositEvent, type EngineSignal, nothingEchoed } from '#deposits';
import type { EventLog, EventLogOptions } from '#event-log';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { decimalText } from '#money';
import type { Casino } from '#partners';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import {
  type CreateOutcome,
  type CreateRequest,
  type DepositCommands,
  type DepositCommandsParts,
  depositEventOf,
  depositStream,
  knownEvents,
  migrations,
  openDepositCommands,
} from '../index.ts';

export const casino: Casino = {
  id: 3,
  affiliateId: 1,
  name: 'A casino',
  externalCode: null,
  status: 'enabled',
  mode: 'live',
  noConfAllowed: true,
  instantAllowed: true,
  amountLimits: { minUsd: null, maxUsd: null },
  instantCaps: {
    firstUsd: decimalText('500'),
    returningUsd: decimalText('1500'),
    receivedFirstUsd: decimalText('600'),
    receivedReturningUsd: decimalText('1600'),
  },
  fees: [],
};

export type TestDesk = {
  readonly commands: DepositCommands;
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly eventsOf: (depositId: number) => Promise<readonly DepositEvent[]>;
  /** Ids of the deposits whose quote is in the log. */
  readonly issuedIds: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

export type WorldChanges = Partial<DepositCommandsParts>;

export const deskTables = [logMigrations, migrations];

/** One instance on a database with its tables, which may have others. The world around it is plain functions, to be changed by a test. */
export const openTestDesk = async (
  url: string,
  changes: WorldChanges = {},
  logOptions: Pick<EventLogOptions, 'remembered'> = {},
): Promise<TestDesk> => {
  const pool = createPool({ url, applicationName: 'test', logger: silentLogger });
  const log = await openPostgresEventLog({ databaseUrl: url, known: knownEvents, ...logOptions });
  const commands = openDepositCommands({
    pool,
    log,
    logger: silentLogger,
    bodyKey: Buffer.from('a key of tests'),
    currentRate: async () => decimalText('50000'),
    isEnabled: async () => true,
    isReturningPlayer: async () => false,
    casino: async (id) => (id === casino.id ? casino : undefined),
    checkPlayer: async () => ({ outcome: 'verified', contactRef: 'a contact' }),
    takeAddress: async (currency, depositId) => `${currency} address ${depositId}`,
    takeAddressWithin: async (currency, depositId) => `${currency} address ${depositId}`,
    ofacDeadlineSeconds: 60,
    addressWaitMs: 200,
    ...changes,
  });
  const eventsOf = async (depositId: number): Promise<readonly DepositEvent[]> =>
    (await Array.fromAsync(log.read(depositStream(depositId)))).map(depositEventOf);
  return {
    commands,
    pool,
    log,
    eventsOf,
    // Stream by stream: what reads all waits for every transaction of the server, those of other tests too.
    issuedIds: async () => {
      const { rows } = await pool.query<{ id: number }>(
        'SELECT id FROM deposit_ids, generate_series(1, last_value) AS id ORDER BY id',
      );
      const ids: number[] = [];
      for (const { id } of rows) if ((await eventsOf(id)).length > 0) ids.push(id);
      return ids;
    },
    close: async () => {
      await log.close();
      await pool.end();
    },
  };
};

export const made = (created: CreateOutcome): Deposit => {
  if (created.outcome !== 'applied') throw new Error(`no deposit was made: ${JSON.stringify(created)}`);
  return created.deposit;
};

export const request = (changes: Partial<CreateRequest> = {}): CreateRequest => ({
  caller: { id: 1, affiliateId: 1, mode: 'live', currencies: ['BTC'] },
  entityId: casino.id,
  currency: 'BTC',
  gamblerRef: 'p-1',
  ...nothingEchoed,
  phone: '+15550100',
  email: null,
  amount: decimalText('100'),
  amountIsCrypto: false,
  noConf: false,
  instant: false,
  actor: 'api key 1',
  key: null,
  ...changes,
});

export const scope = { affiliateId: 1, entityId: null };

let signals = 0;

type Payment = { readonly txid: string; readonly amount: string; readonly at?: string };

const signalAt = (at: string) => ({ signalId: `s-${++signals}`, at, now: at });

/** What makes a deposit acceptable and returnable: paid, confirmed, screened. */
export const paidAndScreened = ({ txid, amount, at = new Date().toISOString() }: Payment): readonly EngineSignal[] => {
  const paid = { txid, vout: 0 };
  const [seen, kyt, ofac, confirmed] = [signalAt(at), signalAt(at), signalAt(at), signalAt(at)];
  return [
    { ...seen, ...paid, type: 'payment.seen', amount, fundingAddresses: ['from'], replaceable: false },
    { ...kyt, type: 'kyt.completed', status: 'passed', riskScore: null },
    { ...ofac, type: 'ofac.completed', status: 'clear', address: null },
    { ...confirmed, ...paid, type: 'payment.confirmed', confirmations: 1, blockHash: null, blockHeight: null },
  ];
};

/** Each seen: with them a history is longer than nearly all others. */
export const manyPayments = (count = 80): readonly EngineSignal[] =>
  Array.from({ length: count }, (_, nth) =>
    paidAndScreened({ txid: `one of many ${nth}`, amount: '0.0001' }).slice(0, 1),
  ).flat();
