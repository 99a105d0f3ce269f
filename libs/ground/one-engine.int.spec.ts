import { expect, it } from '@jest/globals';
import { migrations as ofInstances, startBeating } from '#instances';
import { migrations as ofPartners } from '#partners';
import { type Configuration, readConfiguration } from '#platform/configuration';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { holdToEngine } from './one-engine.ts';
import { StartError } from './start-error.ts';

const database = databasePerTest(ofPartners, ofInstances);

const start = (settings: Readonly<Record<string, string>>): Promise<void> => {
  const configuration: Configuration = readConfiguration(settings);
  return holdToEngine({ configuration, logger: silentLogger, pool: database.pool });
};

const refused = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  const error = await start(settings).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  return (error as Error).message;
};

it('refuses an instance that would play beside real payments, and says how it is meant to be', async () => {
  await start({ ENGINE: 'external' });
  expect(await refused({})).toContain(
    'this installation has ENGINE=external DEMO=false, this instance ENGINE=simulated DEMO=true: set it as the others have it',
  );
  expect(await refused({ ENGINE: 'external', DEMO: 'true' })).toContain('this instance ENGINE=external DEMO=true');
  expect(await refused({ ENGINE: 'live' })).toContain('ENGINE_CHANGE=true');
  await start({ ENGINE: 'external' });
});

it('remembers the first of several that start at once', async () => {
  const starts = await Promise.allSettled([start({ ENGINE: 'live' }), start({}), start({ ENGINE: 'external' })]);
  expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
});

it('lets a demonstration go live when that is asked for, and keeps who did it', async () => {
  await start({});
  await start({ ENGINE: 'live', ENGINE_CHANGE: 'true' });
  await start({ ENGINE: 'live' });
  expect(await refused({})).toContain('this installation has ENGINE=live');
  const { rows } = await database.pool.query("SELECT actor, before, after FROM audit_trail WHERE subject = 'engine'");
  const [before, after] = [
    { engine: 'simulated', demo: true },
    { engine: 'live', demo: false },
  ];
  expect(rows).toEqual([{ actor: 'ENGINE_CHANGE', before, after }]);
});

it('changes nothing while another instance runs', async () => {
  await start({});
  const other = startBeating({ db: database.pool, logger: silentLogger, apps: ['api', 'engine'], version: '1.2.3' });
  const runs = async () => (await database.pool.query('SELECT FROM instances')).rowCount;
  while ((await runs()) === 0);
  expect(await refused({ ENGINE: 'live', ENGINE_CHANGE: 'true' })).toContain('there run api engine (');
  await other.stop();
  await start({ ENGINE: 'live', ENGINE_CHANGE: 'true' });
});
