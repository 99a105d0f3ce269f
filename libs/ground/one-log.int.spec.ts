import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { migrations as ofAudit } from '#audit';
import { migrations as ofCounters } from '#counters';
import { hasGivenIds, NumbersUnavailable, migrations as ofDeposits } from '#deposit-commands';
import { createIds } from '#deposit-commands/testing';
import { migrations as ofTheLog } from '#event-log/postgres';
import {
  keepInstallation,
  keepNameRevision,
  logLock,
  migrations as ofInstances,
  ofThisLog,
  startBeating,
} from '#instances';
import { migrations as ofPartners } from '#partners';
import { readConfiguration } from '#platform/configuration';
import { silentLogger } from '#platform/logging';
import { createPool, inTransaction } from '#platform/postgres';
import { migrations as ofReadModels } from '#read-models';
import { migrations as ofReceipts } from '#receipts';
import { migrations as ofWebhooks } from '#webhooks';
import { databasePerTest } from '../../test/support/with-database.ts';
import { letLogGo } from './let-log-go.ts';
import { type HeldLog, holdToLog } from './one-log.ts';
import { StartError } from './start-error.ts';

const database = databasePerTest(
  ...[ofPartners, ofInstances, ofDeposits, ofCounters, ofTheLog],
  ...[ofReadModels, ofReceipts, ofWebhooks, ofAudit],
);

const POSTGRES = { EVENT_STORE: 'postgres' };
const ELSEWHERE = { EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };

type Settings = Readonly<Record<string, string>>;

const start = async (settings: Settings, onAnotherLog = (_: string): void => undefined): Promise<HeldLog> => {
  const configuration = readConfiguration(settings);
  const parts = { configuration, logger: silentLogger, pool: database.pool, name: 'cointill', waitMs: 700 };
  const held = await holdToLog({ ...parts, onAnotherLog });
  database.atEnd(held.stop);
  return held;
};

const startAndStop = async (settings: Settings): Promise<void> => (await start(settings)).stop();

const refused = async (settings: Settings): Promise<string> => {
  const error = await start(settings).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  return (error as Error).message;
};

const query = (text: string) => database.pool.query(text);

const giveANumber = () => query("SELECT nextval('deposit_ids')");

it('refuses whoever has another log than the installation, once there may be a history, and says which to set', async () => {
  await startAndStop(ELSEWHERE);
  await giveANumber();
  for (const settings of [{}, POSTGRES])
    expect(await refused(settings)).toBe(
      'this installation has EVENT_STORE=eventstoredb, this instance EVENT_STORE=postgres: ' +
        'set EVENT_STORE=eventstoredb and EVENTSTORE_URL as the others have it',
    );
  await start(ELSEWHERE);
});

it('refuses the other way round too', async () => {
  await startAndStop({});
  await giveANumber();
  expect(await refused(ELSEWHERE)).toBe(
    'this installation has EVENT_STORE=postgres, this instance EVENT_STORE=eventstoredb: ' +
      'set EVENT_STORE=postgres as the others have it',
  );
});

it('takes another log that is asked for by name, while there is no history, and keeps that it did', async () => {
  await startAndStop({});
  await startAndStop(ELSEWHERE);
  expect(await refused({})).toContain('set EVENT_STORE=eventstoredb');
  const { rows } = await query("SELECT actor, before, after FROM audit_trail WHERE subject = 'event_store'");
  expect(rows).toEqual([{ actor: 'EVENT_STORE', before: { kind: 'postgres' }, after: { kind: 'eventstoredb' } }]);
  await startAndStop(POSTGRES);
});

it('takes none beside whoever opens or runs', async () => {
  const opening = await start({});
  expect(await refused(ELSEWHERE)).toContain('or stop them first; there run cointill on ');
  await opening.stop();
  const other = startBeating({ db: database.pool, logger: silentLogger, apps: ['api'], version: '1.2.3' });
  while ((await query('SELECT FROM instances')).rowCount === 0);
  expect(await refused(ELSEWHERE)).toContain('there run api (');
  await other.stop();
  await start(ELSEWHERE);
});

it('lets one of two have it that begin together', async () => {
  const starts = await Promise.allSettled([start(POSTGRES), start(ELSEWHERE)]);
  expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

it.each([
  [
    'in its own database',
    `INSERT INTO events (stream, revision, id, type, data, metadata)
     VALUES ('deposit-1', 0, gen_random_uuid(), 'one', '{}', '{}')`,
    ELSEWHERE,
  ],
  [
    'elsewhere',
    `INSERT INTO counted_through (position, stream, revision, event_id)
     VALUES (repeat('0', 20) || '.' || repeat('0', 20), 'deposit-1', 0, gen_random_uuid())`,
    POSTGRES,
  ],
])('an installation of before has its log where its history is: %s', async (_, history, wrong) => {
  await query(history);
  expect(await refused(wrong)).toContain('as the others have it');
  await start(wrong === POSTGRES ? ELSEWHERE : POSTGRES);
});

it('ends one that was silent while another log was taken, once, with its next beat', async () => {
  const said: string[] = [];
  const silent = await start(POSTGRES, (what) => said.push(what));
  await silent.beaten();
  await silent.beaten();
  expect(said).toEqual([]);
  await start(ELSEWHERE);
  await silent.beaten();
  await silent.beaten();
  expect(said).toEqual(['this installation keeps its history in another event log by now: this instance ends']);
});

it('ends one that was silent while its log was let go, once, with its next beat, and none that began after', async () => {
  const said: string[] = [];
  const silent = await start(ELSEWHERE, (what) => said.push(what));
  const name = randomUUID();
  await keepInstallation(database.pool, name);
  await keepNameRevision(database.pool, name, 0);
  await silent.beaten();
  expect(await letLogGo(database.pool, 'somebody')).toEqual({ outcome: 'let_go' });
  const after = await start(ELSEWHERE, (what) => said.push(`the other: ${what}`));
  await keepInstallation(database.pool, randomUUID());
  for (const each of [after, silent, silent, after]) await each.beaten();
  expect(said).toEqual(['this installation keeps its history in another event log by now: this instance ends']);
});

/** Of an instance: each has connections of its own. */
const idsOf = (kind: 'eventstoredb' | 'postgres') => {
  const pool = createPool({ url: database.url, applicationName: 'test', logger: silentLogger });
  database.atEnd(() => pool.end());
  return createIds(pool, (take) => take(), ofThisLog(kind));
};

it('gives no id to one whose log is no longer the one that is kept, and none while another may be taken', async () => {
  await startAndStop(POSTGRES);
  await inTransaction(database.pool, async (db) => {
    await logLock.claim(db);
    await expect(idsOf('postgres').nextDeposit()).rejects.toThrow(NumbersUnavailable);
  });
  await startAndStop(ELSEWHERE);
  await expect(idsOf('postgres').nextDeposit()).rejects.toThrow(NumbersUnavailable);
  expect(await hasGivenIds(database.pool)).toBe(false);
  expect(await idsOf('eventstoredb').nextDeposit()).toEqual({ depositId: 1, transactionId: 1 });
});

it('lets many take ids beside one another, and beside who starts', async () => {
  await start(POSTGRES);
  const ids = Array.from({ length: 8 }, () => idsOf('postgres'));
  const taken = await Promise.all(ids.flatMap((each) => [each.nextDeposit(), each.nextDeposit()]));
  expect(new Set(taken.map(({ depositId }) => depositId)).size).toBe(16);
});
