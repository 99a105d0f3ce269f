import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { createLog, silentLogger } from '#platform/logging';
import { createPool, identityOf } from '#platform/postgres';
import { type FreshDatabase, putBack } from '../../test/support/database.ts';
import { databasesPerTest } from './testing/databases.ts';
import { type BesideOptions, openBeside } from './testing/open-beside.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('together');

const open = async (options: Partial<BesideOptions> = {}) => {
  const told: Record<string, unknown>[] = [];
  const { logger } = createLog({ level: 'warn', to: { write: (line) => void told.push(JSON.parse(line)) } });
  const { url } = databases;
  const instance = await openBeside({ url, logUrl: url, keep: true, isOfTheLog: true, logger, ...options });
  expect(await instance.counters.firstLook).toBeUndefined();
  return { ...instance, alerts: () => told.filter(({ alert }) => alert === 'numbers_raised') };
};

type Instance = Awaited<ReturnType<typeof open>>;
type Made = Awaited<ReturnType<Instance['create']>>;

const several = async ({ create }: Instance, count: number): Promise<Made[]> => {
  const made: Made[] = [];
  for (let nth = 0; nth < count; nth++) made.push(await create());
  return made;
};

const once = async (count: number): Promise<Made[]> => {
  const instance = await open();
  const made = await several(instance, count);
  await instance.close();
  return made;
};

/** As files do that are put back as they were: they do not say that they are a copy. */
const copiedAsItself = async (): Promise<FreshDatabase> => {
  const copy = await databases.copied();
  const pool = createPool({ url: copy.url, applicationName: 'test', logger: silentLogger });
  await pool.query('UPDATE numbers_given_in SET identity = $1', [await identityOf(pool, 'numbers_given_in')]);
  await pool.end();
  return copy;
};

const untilMade = async ({ create }: Instance): Promise<Made> => {
  for (let tries = 0; tries < 400; tries++) {
    const made = await create().catch(() => undefined);
    if (made) return made;
    await later(25);
  }
  throw new Error('nothing was made in time');
};

const isApart = (all: readonly Made[]): void => {
  for (const name of ['id', 'transactionId', 'address'] as const)
    expect(new Set(all.map((each) => each[name])).size).toBe(all.length);
};

const OLDER = 'the database is older than what was counted in it';

describe('a database that is put back with its log under a service that runs on, as if it were the same', () => {
  it('gives nothing that it gave before, whichever instance is asked, and one of them says so', async () => {
    const before = await once(2);
    const copy = await copiedAsItself();
    const lost = await once(12);
    const instances = [await open(), await open()];
    await putBack(databases.url, copy);
    const anew = [];
    for (const each of instances) anew.push(await untilMade(each), ...(await several(each, 3)));
    isApart([...before, ...lost, ...anew]);
    expect(anew[0]?.id).toBeGreaterThan(1_000_000);
    expect(anew.at(-1)?.id).toBeLessThan(2_000_000);
    expect(instances.flatMap(({ alerts }) => alerts())).toMatchObject([{ because: OLDER }]);
    for (const each of instances) await each.close();
  });

  it.each([2, 0])(
    'is raised by an instance that is asked for nothing, once each time: to %d deposits',
    async (kept) => {
      await once(kept);
      const [copy, another] = [await copiedAsItself(), await copiedAsItself()];
      await once(3);
      const watching = await open({ keep: false });
      const untilTold = async (times: number): Promise<void> => {
        for (let tries = 0; tries < 400 && watching.alerts().length < times; tries++) await later(25);
        expect(watching.alerts()).toHaveLength(times);
      };
      await putBack(databases.url, copy);
      await untilTold(1);
      await putBack(databases.url, another);
      await untilTold(2);
      await later(200);
      expect(watching.alerts()).toHaveLength(2);
      await watching.close();
      expect((await once(1))[0]?.id).toBeGreaterThan(1_000_000);
    },
  );
});
