import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../test/support/with-database.ts';
import { listInstances, migrations, startBeating } from './index.ts';

const database = databasePerTest(migrations);

const begin = (apps: readonly string[], more: object = {}) =>
  startBeating({ db: database.pool, logger: silentLogger, apps, version: '1.2.3', everyMs: 20, ...more });

const seen = () => listInstances(database.pool);

const until = async (isSo: (instances: Awaited<ReturnType<typeof seen>>) => boolean) => {
  for (let instances = await seen(); ; instances = await seen()) {
    if (isSo(instances)) return instances;
    await delay(10);
  }
};

const fallSilent = (since: string) =>
  database.pool.query(`UPDATE instances SET seen_at = now() - interval '${since}' WHERE apps = '{api}'`);

it('are seen with what they do for as long as they run', async () => {
  const [api, rest] = [begin(['api']), begin(['operator', 'notifier'])];
  const both = await until(({ length }) => length === 2);
  expect(both).toContainEqual({
    ...{ id: expect.any(String), apps: ['operator', 'notifier'], version: '1.2.3', pid: process.pid, alive: true },
    ...{ four_eyes: null, recheck_s: null },
    ...{ host: expect.any(String), started_at: expect.any(String), seen_at: expect.any(String) },
  });
  await api.stop();
  expect((await seen()).map(({ apps }) => apps)).toEqual([['operator', 'notifier']]);
  await rest.stop();
  expect(await seen()).toEqual([]);
});

it('are told apart when they have fallen silent, are forgotten after a while, and are back when they wake', async () => {
  const asleep = begin(['api'], { everyMs: 3_600_000 });
  await until(({ length }) => length === 1);
  await fallSilent('20 seconds');
  expect(await seen()).toMatchObject([{ apps: ['api'], alive: false }]);
  const other = begin(['projector']);
  await until((instances) => instances.some(({ apps }) => apps[0] === 'projector'));
  expect(await seen()).toHaveLength(2);
  await fallSilent('61 seconds');
  await until((instances) => instances.every(({ apps }) => apps[0] === 'projector'));
  await asleep.stop();
  await other.stop();
  const awake = begin(['api']);
  await until((instances) => instances.some(({ alive }) => alive));
  await database.pool.query('DELETE FROM instances');
  await until(({ length }) => length === 1);
  await awake.stop();
});
