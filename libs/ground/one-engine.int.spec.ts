import { expect, it } from '@jest/globals';
import { migrations as ofInstances, startBeating } from '#instances';
import { migrations as ofPartners } from '#partners';
import { type Configuration, readConfiguration } from '#platform/configuration';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { holdToEngine } from './one-engine.ts';
import { StartError } from './start-error.ts';

const database = databasePerTest(ofPartners, ofInstances);

const start = (settings: Readonly<Record<string, string>>, waitMs?: number): Promise<void> => {
  const configuration: Configuration = readConfiguration(settings);
  const parts = { configuration, logger: silentLogger, pool: database.pool };
  return holdToEngine({ ...parts, ...(waitMs !== undefined && { waitMs }) });
};

const refused = async (settings: Readonly<Record<string, string>>, waitMs?: number): Promise<string> => {
  const error = await start(settings, waitMs).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  return (error as Error).message;
};

const kept = async (): Promise<unknown> =>
  (await database.pool.query('SELECT engine, demo FROM installation_engine')).rows[0];

const beat = async () => {
  const apps = ['api', 'engine'];
  const other = startBeating({ db: database.pool, logger: silentLogger, apps, version: '1.2.3' });
  while ((await database.pool.query('SELECT FROM instances')).rowCount === 0);
  return other;
};

it('refuses an instance that left the engine out where it is no longer the default', async () => {
  await start({ ENGINE: 'external' });
  expect(await refused({})).toContain(
    'this installation has ENGINE=external DEMO=false, this instance ENGINE=simulated DEMO=true: set ENGINE and DEMO',
  );
  await start({ ENGINE: 'external' });
});

it('remembers the first of several that start at once', async () => {
  const starts = await Promise.allSettled([start({}), start({}), start({})]);
  expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(await kept()).toEqual({ engine: 'simulated', demo: true });
});

it('lets a demonstration go live when that is asked for by name, and keeps that it did', async () => {
  await start({});
  await start({ ENGINE: 'live' });
  await start({ ENGINE: 'live' });
  expect(await refused({})).toContain('this installation has ENGINE=live');
  const { rows } = await database.pool.query("SELECT actor, before, after FROM audit_trail WHERE subject = 'engine'");
  const [before, after] = [
    { engine: 'simulated', demo: true },
    { engine: 'live', demo: false },
  ];
  expect(rows).toEqual([{ actor: 'ENGINE', before, after }]);
});

it.each([{ DEMO: 'false' }, { DEMO: 'true' }])('changes no engine that was left out: %j', async (settings) => {
  await start({ ENGINE: 'external', DEMO: 'false' });
  expect(await refused(settings)).toContain('set ENGINE by name: what is left out changes nothing');
  expect(await kept()).toEqual({ engine: 'external', demo: false });
  await start({ ENGINE: 'external', ...settings });
  expect(await kept()).toEqual({ engine: 'external', demo: settings.DEMO === 'true' });
});

it('changes no demonstration that was left out, but with an engine that is new', async () => {
  await start({ ENGINE: 'external', DEMO: 'true' });
  expect(await refused({ ENGINE: 'external' })).toContain('set DEMO by name');
  await start({ ENGINE: 'live' });
  expect(await kept()).toEqual({ engine: 'live', demo: false });
});

it('plays beside nobody who has another engine, whether that was asked for or not', async () => {
  await start({ ENGINE: 'live' });
  const other = await beat();
  expect(await refused({ ENGINE: 'simulated' }, 700)).toContain('there run api engine (');
  expect(await refused({ ENGINE: 'live', DEMO: 'true' }, 700)).toContain('this instance ENGINE=live DEMO=true');
  await start({ ENGINE: 'live' }, 0);
  await other.stop();
});

it('waits for those that are about to end', async () => {
  await start({});
  const other = await beat();
  const changing = start({ ENGINE: 'external' });
  await other.stop();
  await changing;
  expect(await refused({})).toContain('this installation has ENGINE=external');
});
