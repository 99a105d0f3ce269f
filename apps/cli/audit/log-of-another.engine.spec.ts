import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { migrations as ofCounters } from '#counters';
import { migrations as ofDeposits } from '#deposit-commands';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { keepInstallation, keepLog, migrations as ofInstances } from '#instances';
import { migrations as ofPartners } from '#partners';
import { migrations as ofReadModels } from '#read-models';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { connect, PLAIN } from '../../../test/engines/eventstoredb/support/client.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { exit, Failure } from '../parts/exit.ts';
import { openStores } from './stores.ts';

const database = databasePerTest(ofPartners, ofInstances, ofDeposits, ofCounters, ofReadModels);
const { DATABASE_URL, EVENTSTORE_URL } = process.env;
let standIn: StandIn;

const set = (name: string, value: string | undefined): void => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};

beforeEach(async () => {
  standIn = await startStandIn({ port: await freePort() });
  set('DATABASE_URL', database.url);
  set('EVENTSTORE_URL', standIn.url);
});

afterEach(() => {
  standIn.kill();
  set('DATABASE_URL', DATABASE_URL);
  set('EVENTSTORE_URL', EVENTSTORE_URL);
});

const nameLog = async (installation: string): Promise<void> => {
  const { label, close } = openEventStoreDbEventLog({ url: standIn.url });
  await label.write(undefined, { type: 'InstallationNamed', data: { installation, engine: 'external', demo: false } });
  await close();
};

it('A command that looks without a service opens no log of another installation beside its database', async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  await keepLog(database.pool, 'eventstoredb');
  await (await openStores()).close();
  await nameLog(other);
  await (await openStores()).close();
  await keepInstallation(database.pool, own);
  const error = await openStores().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Failure);
  expect([(error as Failure).code, (error as Failure).message]).toEqual([
    exit.usage,
    `EVENTSTORE_URL names the event log of installation ${other}, DATABASE_URL the database of installation ${own}: ` +
      'set both as the service has them',
  ]);
  await database.pool.query('UPDATE installation_log SET installation = $1', [other]);
  await (await openStores()).close();
}, 60_000);

it('A log that can no longer say whose it is is looked at all the same, with a note', async () => {
  await keepLog(database.pool, 'eventstoredb');
  await keepInstallation(database.pool, randomUUID());
  await nameLog(randomUUID());
  const client = connect(standIn.url);
  await client.tombstoneStream('cointill-installation', PLAIN);
  await client.dispose();
  const written: string[] = [];
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await (await openStores()).close();
  } finally {
    spy.mockRestore();
  }
  expect(written).toEqual([expect.stringContaining('The event log can no longer say whose it is: ')]);
}, 60_000);
