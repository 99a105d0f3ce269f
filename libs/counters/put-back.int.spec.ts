import { describe, expect, it, jest } from '@jest/globals';
import { type Addresses, openAddresses } from '#addresses';
import { knownEvents } from '#deposit-commands';
import { createIds } from '#deposit-commands/testing';
import { openPostgresEventLog } from '#event-log/postgres';
import { createLog } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { askForRaise, openCounters, type RestoredMark } from './index.ts';
import { databasesPerTest, withInstance } from './testing/databases.ts';

jest.setTimeout(90_000);

const databases = databasesPerTest('together');
const { copied } = databases;

type Options = { readonly at?: string; readonly isOfTheLog?: boolean; readonly restored?: RestoredMark };

/** One instance, whose log is in the same database. */
const open = async ({ at = databases.url, isOfTheLog = true, restored }: Options = {}) => {
  const told: Record<string, unknown>[] = [];
  const { logger } = createLog({ level: 'warn', to: { write: (line) => void told.push(JSON.parse(line)) } });
  const log = await openPostgresEventLog({ databaseUrl: at, known: knownEvents });
  const pool = createPool({ url: at, applicationName: 'test', logger });
  const counters = openCounters({ pool, log, logger, isOfTheLog, restored, everyMs: 60_000 });
  expect(await counters.firstLook).toBeUndefined();
  const marks = { lowWater: 2, highWater: 4 };
  const secrets = createSecrets('a key of tests');
  const addresses: Addresses = await openAddresses({ pool, secrets, logger, demo: true, ...marks });
  const ids = createIds(pool, counters.giving);
  return {
    ...{ pool, addresses, told },
    alerts: () => told.filter(({ alert }) => alert === 'numbers_raised'),
    give: async () => {
      const { depositId, transactionId } = await ids.nextDeposit();
      const address = await counters.giving(() => addresses.take('BTC', depositId));
      return { depositId, transactionId, returnId: await ids.nextReturn(), address };
    },
    close: async () => {
      await addresses.close();
      await counters.stop();
      await pool.end();
      await log.close();
    },
  };
};

type Instance = Awaited<ReturnType<typeof open>>;
type Given = Awaited<ReturnType<Instance['give']>>;

const several = async ({ give }: Instance, count: number): Promise<Given[]> => {
  const given: Given[] = [];
  for (let nth = 0; nth < count; nth++) given.push(await give());
  return given;
};

const once = <T>(options: Options, work: (instance: Instance) => Promise<T>): Promise<T> =>
  withInstance(open(options), work);

const isGivenOnce = (all: readonly Given[]): void => {
  for (const name of ['depositId', 'transactionId', 'returnId', 'address'] as const)
    expect(new Set(all.map((each) => each[name])).size).toBe(all.length);
};

const entriesOf = async ({ pool }: Instance) =>
  (await pool.query("SELECT actor, action, after FROM audit_trail WHERE subject = 'numbers' ORDER BY id")).rows;

const marked = (): RestoredMark & { there: boolean } => {
  const mark = {
    there: true,
    isThere: () => mark.there,
    remove: async () => {
      mark.there = false;
    },
  };
  return mark;
};

describe('a database that was put back together with its log', () => {
  it('gives nothing that it may have given before, says so, and does so once', async () => {
    const first = await once({}, (one) => several(one, 3));
    const { url: at } = await copied();
    const lost = await once({}, (one) => several(one, 12));
    await once({ at }, async (one) => {
      const anew = await several(one, 6);
      isGivenOnce([...first, ...lost, ...anew]);
      expect(anew[0]).toMatchObject({ depositId: 1_000_004, transactionId: 1_000_004, returnId: 1_000_004 });
      expect(one.alerts()).toHaveLength(1);
      expect(await entriesOf(one)).toEqual([
        { actor: 'the installation', action: 'changed', after: expect.objectContaining({ ids: 1_000_000 }) },
      ]);
      const pool = (await one.addresses.pools()).find(({ ticker }) => ticker === 'BTC');
      expect(pool).toMatchObject({ taken: 9 });
    });
    await once({ at }, async (one) => {
      expect((await one.give()).depositId).toBe(1_000_010);
      expect(one.alerts()).toEqual([]);
    });
  });

  it('is raised once by many instances that start at the same time', async () => {
    await once({}, (one) => several(one, 1));
    const { url: at } = await copied();
    const instances = await Promise.all([open({ at }), open({ at }), open({ at })]);
    expect(instances.flatMap(({ alerts }) => alerts())).toHaveLength(1);
    for (const each of instances) await each.close();
  });

  it('sets aside what operators had added, until they add it again', async () => {
    const added = ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'];
    await once({}, ({ addresses }) => addresses.add('BTC', added, 'test'));
    const { url: at } = await copied();
    const [lost] = await once({}, (one) => several(one, 1));
    expect(added).toContain(lost?.address);
    await once({ at }, async (one) => {
      expect(added).not.toContain((await one.give()).address);
      expect(one.alerts()).toMatchObject([{ set_aside: [{ currency: 'BTC', addresses: 2 }] }]);
      const [entry] = await entriesOf(one);
      expect(entry.after.set_aside).toEqual([{ currency: 'BTC', addresses: added }]);
      expect(await one.addresses.add('BTC', added, 'test')).toEqual({ outcome: 'applied', added: 2 });
      expect(added).toContain((await one.give()).address);
    });
  });

  it('is told by what a restore has left where only files were put back', async () => {
    await once({}, (one) => several(one, 3));
    const restored = marked();
    await once({ restored }, async (one) => expect((await one.give()).depositId).toBe(1_000_004));
    expect(restored.there).toBe(false);
    await once({ restored }, async (one) => expect((await one.give()).depositId).toBe(1_000_005));
  });

  it('is told by whoever knows it', async () => {
    await once({}, ({ pool }) => askForRaise(pool, 'cointill (olga)'));
    await once({ isOfTheLog: false }, async (one) => {
      expect((await one.give()).depositId).toBe(1_000_002);
      expect(await entriesOf(one)).toMatchObject([
        { actor: 'cointill (olga)', after: { asked: 'to be raised' } },
        { actor: 'the installation', after: { because: 'asked for' } },
      ]);
    });
  });
});

describe('nothing is raised', () => {
  it('where an installation of before remembers nothing, but it remembers itself', async () => {
    await once({}, (one) => one.pool.query('DELETE FROM numbers_given_in'));
    await once({}, async (one) => expect((await one.give()).depositId).toBe(1));
    const { rows } = await once({}, (one) => one.pool.query('SELECT raised_at FROM numbers_given_in'));
    expect(rows).toEqual([{ raised_at: null }]);
  });

  it('where the log lies elsewhere, and knows what was given', async () => {
    await once({ isOfTheLog: false }, (one) => several(one, 1));
    const restored = marked();
    const options = { at: (await copied()).url, isOfTheLog: false, restored };
    await once(options, async (one) => expect((await one.give()).depositId).toBe(2));
    expect(restored.there).toBe(false);
  });
});
