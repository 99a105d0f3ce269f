import { expect, it } from '@jest/globals';
import { migrations as ofCounters } from '#counters';
import { migrations as ofDeposits } from '#deposit-commands';
import { migrations as ofTheLog } from '#event-log/postgres';
import { migrations as ofInstances, startBeating } from '#instances';
import { migrations as ofPartners } from '#partners';
import { readConfiguration } from '#platform/configuration';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { type HeldLog, holdToLog } from './one-log.ts';
import { StartError } from './start-error.ts';

const database = databasePerTest(ofPartners, ofInstances, ofDeposits, ofCounters, ofTheLog);

const POSTGRES = { EVENT_STORE: 'postgres' };
const ELSEWHERE = { EVENT_STORE: 'eventstoredb', EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };

type Settings = Readonly<Record<string, string>>;

const start = async (settings: Settings, waitMs = 700): Promise<HeldLog> => {
  const configuration = readConfiguration(settings);
  const held = await holdToLog({ configuration, logger: silentLogger, pool: database.pool, name: 'cointill', waitMs });
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
