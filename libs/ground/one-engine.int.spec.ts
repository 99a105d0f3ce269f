import { setTimeout as later } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { engineLock, migrations as ofInstances, startBeating } from '#instances';
import { migrations as ofPartners } from '#partners';
import { readConfiguration } from '#platform/configuration';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { type HeldEngine, holdToEngine } from './one-engine.ts';
import { StartError } from './start-error.ts';

const database = databasePerTest(ofPartners, ofInstances);

type Settings = Readonly<Record<string, string>>;
type More = Partial<Parameters<typeof holdToEngine>[0]>;

/** Runs until the test has ended, or until it is stopped. */
const start = async (settings: Settings, more: More = {}): Promise<HeldEngine> => {
  const configuration = readConfiguration(settings);
  const onAnotherEngine = (): void => undefined;
  const parts = { configuration, logger: silentLogger, pool: database.pool, name: 'cointill-api', onAnotherEngine };
  const held = await holdToEngine({ ...parts, ...more });
  database.atEnd(held.stop);
  return held;
};

const startAndStop = async (settings: Settings): Promise<void> => (await start(settings)).stop();

const refused = async (settings: Settings, more: More = {}): Promise<string> => {
  const error = await start(settings, more).catch((thrown: unknown) => thrown);
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

const cutOff = (): Promise<unknown> =>
  database.pool.query(`SELECT pg_terminate_backend(pid, 10_000) FROM pg_stat_activity
    WHERE application_name LIKE 'cointill-api on %' AND datname = current_database()`);

it('refuses an instance that left the engine out where it is no longer the default', async () => {
  await startAndStop({ ENGINE: 'external' });
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
  await startAndStop({});
  await startAndStop({ ENGINE: 'live' });
  await startAndStop({ ENGINE: 'live' });
  expect(await refused({})).toContain('this installation has ENGINE=live');
  const { rows } = await database.pool.query("SELECT actor, before, after FROM audit_trail WHERE subject = 'engine'");
  const [before, after] = [
    { engine: 'simulated', demo: true },
    { engine: 'live', demo: false },
  ];
  expect(rows).toEqual([{ actor: 'ENGINE', before, after }]);
});

it.each([{ DEMO: 'false' }, { DEMO: 'true' }])('changes no engine that was left out: %j', async (settings) => {
  await startAndStop({ ENGINE: 'external', DEMO: 'false' });
  expect(await refused(settings)).toContain('set ENGINE by name: what is left out changes nothing');
  expect(await kept()).toEqual({ engine: 'external', demo: false });
  await start({ ENGINE: 'external', ...settings });
  expect(await kept()).toEqual({ engine: 'external', demo: settings.DEMO === 'true' });
});

it('changes no demonstration that was left out, but with an engine that is new', async () => {
  await startAndStop({ ENGINE: 'external', DEMO: 'true' });
  expect(await refused({ ENGINE: 'external' })).toContain('set DEMO by name');
  await start({ ENGINE: 'live' });
  expect(await kept()).toEqual({ engine: 'live', demo: false });
});

it('plays beside nobody who has another engine, whether that was asked for or not, nor beside a release of before', async () => {
  await startAndStop({ ENGINE: 'live' });
  const other = await beat();
  const waitMs = 700;
  expect(await refused({ ENGINE: 'simulated' }, { waitMs })).toContain('there run api engine (');
  expect(await refused({ ENGINE: 'live', DEMO: 'true' }, { waitMs })).toContain('this instance ENGINE=live DEMO=true');
  await start({ ENGINE: 'live' }, { waitMs: 0 });
  await other.stop();
});

it('plays beside nobody who is still opening, or whose beats a standstill of the database kept back', async () => {
  const opening = await start({ ENGINE: 'external' });
  expect(await refused({ ENGINE: 'simulated' }, { waitMs: 700 })).toContain('there run cointill-api on ');
  expect(await kept()).toEqual({ engine: 'external', demo: false });
  await opening.stop();
  await start({ ENGINE: 'simulated' });
});

it('lets one of two change it that begin together', async () => {
  await startAndStop({});
  const [waitMs, names] = [700, ['live', 'external']];
  const starts = await Promise.allSettled(names.map((ENGINE) => start({ ENGINE }, { waitMs })));
  const engines = names.filter((_, nth) => starts[nth]?.status === 'fulfilled');
  expect(engines).toHaveLength(1);
  expect(await kept()).toEqual({ engine: engines[0], demo: false });
});

it('waits for those that are about to end', async () => {
  await startAndStop({});
  const other = await beat();
  const changing = start({ ENGINE: 'external' });
  await other.stop();
  await changing;
  expect(await refused({})).toContain('this installation has ENGINE=external');
});

it('holds on when its connection is made anew', async () => {
  await start({ ENGINE: 'external' });
  await cutOff();
  while ((await engineLock.sharers(database.pool)).length === 0) await later(10);
  await refused({ ENGINE: 'simulated' }, { waitMs: 0 });
});

it.each([
  ['had lost its connection', cutOff, {}],
  ['has not', async () => undefined, { lookEveryMs: 50 }],
])('ends when it finds another engine than its own, whether it %s', async (_, then, more) => {
  const ended = Promise.withResolvers<string>();
  await start({ ENGINE: 'external' }, { onAnotherEngine: ended.resolve, ...more });
  await database.pool.query("UPDATE installation_engine SET engine = 'simulated'");
  await then();
  expect(await ended.promise).toContain('this installation has another engine by now');
});
