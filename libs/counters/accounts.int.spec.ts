import { describe, expect, it, jest } from '@jest/globals';
import { knownEvents, NumbersUnavailable } from '#deposit-commands';
import { openPostgresEventLog } from '#event-log/postgres';
import { openPartners } from '#partners';
import { done } from '#partners/testing';
import { createLog, silentLogger } from '#platform/logging';
import { putBack } from '../../test/support/database.ts';
import { databasesPerTest, skipAhead, withInstance } from './testing/databases.ts';
import { type BesideOptions, openBeside } from './testing/open-beside.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('apart');
const { copied } = databases;

type Account = { readonly affiliateId: number; readonly entityId: number; readonly keyId: number };

/** One instance, with a log in a database of its own, and its accounts. */
const open = async (options: Partial<BesideOptions> = {}) => {
  const told: Record<string, unknown>[] = [];
  const { logger } = createLog({ level: 'warn', to: { write: (line) => void told.push(JSON.parse(line)) } });
  const instance = await openBeside({ url: databases.url, logUrl: databases.logUrl, keep: true, logger, ...options });
  const { pool, secrets } = instance;
  const partners = await openPartners({ pool, secrets, logger: silentLogger });
  const { accounts } = partners;
  partners.numberAfter(instance.counters.beforeGiving);
  return {
    ...instance,
    alerts: () => told.filter(({ alert }) => alert === 'numbers_raised'),
    account: async (): Promise<Account> => {
      const { id: affiliateId } = await accounts.affiliates.add('test', { name: 'A partner' });
      const entity = await done(accounts.entities.add('test', { affiliate_id: affiliateId, name: 'A casino' }));
      const key = await done(accounts.apiKeys.add('test', { affiliate_id: affiliateId }));
      return { affiliateId, entityId: entity.id, keyId: key.id };
    },
    depositOf: ({ affiliateId, entityId, keyId }: Account) =>
      instance.create({
        caller: { id: keyId, affiliateId, mode: 'live', currencies: ['BTC'] },
        ...{ entityId, actor: `api key ${keyId}` },
      }),
    close: async () => {
      await partners.close();
      await instance.close();
    },
  };
};

type Instance = Awaited<ReturnType<typeof open>>;

const once = <T>(work: (instance: Instance) => Promise<T>, options: Partial<BesideOptions> = {}): Promise<T> =>
  withInstance(open(options), async (instance) => {
    expect(await instance.counters.firstLook).toBeUndefined();
    return work(instance);
  });

/** As files do that are put back as they were: they do not say that they are a copy. */
const asItself = ({ pool }: Instance) => pool.query('DELETE FROM numbers_given_in');

const isApart = (all: readonly Account[]): void => {
  for (const name of ['affiliateId', 'entityId', 'keyId'] as const)
    expect(new Set(all.map((each) => each[name])).size).toBe(all.length);
};

const entriesOf = async ({ pool }: Instance) =>
  (await pool.query("SELECT actor, after FROM audit_trail WHERE subject = 'numbers' ORDER BY id")).rows;

const because = (reason: string) => [{ actor: 'the installation', after: { because: reason, account_ids: 1_000 } }];

const COPY = 'the database is a copy, was put back to a moment, or took over';
const OLDER = 'the database is older than its log';

describe('an account that is made on a database which was put back beside a log that went on', () => {
  it('has no id of one that is lost, with deposits or without, and that is said once', async () => {
    const before = await once(({ account }) => account());
    const { url } = await copied();
    const lost = await once(async (one) => [await one.account(), await one.account()]);
    await once((one) => one.depositOf(lost[0] ?? before));
    await once(
      async (one) => {
        isApart([before, ...lost, await one.account()]);
        expect(one.alerts()).toMatchObject([{ because: COPY, set_aside: [] }]);
        expect(await entriesOf(one)).toEqual(because(COPY));
        expect((await one.pool.query('SELECT raised_at FROM numbers_given_in')).rows).toEqual([
          { raised_at: expect.any(Date) },
        ]);
        // The log knows them.
        expect((await one.depositOf(before)).id).toBe(2);
      },
      { url },
    );
    await once(
      async (one) => {
        expect((await one.account()).affiliateId).toBe(1_004);
        expect(one.alerts()).toEqual([]);
      },
      { url },
    );
  });

  it('has none either where files were put back as they were, and only the log shows it', async () => {
    const before = await once(({ account }) => account());
    await once(asItself);
    const { url } = await copied();
    const lost = await once(async (one) => [await one.account(), await one.account()]);
    await once((one) => one.depositOf(lost[0] ?? before));
    await once(
      async (one) => {
        isApart([before, ...lost, await one.account()]);
        expect(one.alerts()).toMatchObject([{ because: OLDER }]);
        expect(await entriesOf(one)).toEqual(because(OLDER));
      },
      { url },
    );
    await once(async (one) => expect(one.alerts()).toEqual([]), { url });
  });

  it('has none where numbers were taken ahead in such files, and only an address shows what is lost', async () => {
    const before = await once(({ account }) => account());
    await once(asItself);
    const { url } = await copied();
    await skipAhead(url, ['deposit_ids', 'transaction_ids']);
    const lost = await once(({ account }) => account());
    await once((one) => one.depositOf(lost));
    await once(
      async (one) => {
        isApart([before, lost, await one.account()]);
        expect(one.alerts()).toHaveLength(1);
      },
      { url },
    );
  });

  it('has none where the database is empty: it stands above all that the log names, by the gap', async () => {
    const lost: Account[] = [];
    await once(async (one) => {
      for (let nth = 0; nth < 3; nth++) lost.push(await one.account());
      await one.pool.query("SELECT setval('affiliates_id_seq', 5000), setval('api_keys_id_seq', 7000)");
      lost.push(await one.account());
      for (const each of lost) await one.depositOf(each);
      lost.push(await one.account());
    });
    const url = await databases.emptyService();
    await once(
      async (one) => {
        const anew = await one.account();
        isApart([...lost, anew]);
        expect(anew).toEqual({ affiliateId: 6_002, entityId: 1_005, keyId: 8_002 });
        expect(await entriesOf(one)).toEqual(because(OLDER));
      },
      { url },
    );
  });

  it('has none where a standby took over that lacks the last moments, under a service that runs on', async () => {
    await once(({ account }) => account());
    const copy = await copied();
    const service = await open();
    await service.counters.firstLook;
    const lost = [await service.account(), await service.account()];
    await putBack(databases.url, copy);
    const anew: Account[] = [];
    for (let tries = 0; anew.length === 0 && tries < 400; tries++)
      anew.push(
        ...(await service.account().then(
          (one) => [one],
          () => [],
        )),
      );
    isApart([...lost, ...anew]);
    expect(service.alerts()).toHaveLength(1);
    await service.close();
  });

  it('has none whichever of many instances makes it, and one of them says so', async () => {
    const before = await once(({ account }) => account());
    const { url } = await copied();
    const lost = await once(({ account }) => account());
    await once((one) => one.depositOf(lost));
    const instances = await Promise.all([open({ url }), open({ url }), open({ url })]);
    await Promise.all(instances.map(({ counters }) => counters.firstLook));
    isApart([before, lost, ...(await Promise.all(instances.map(({ account }) => account())))]);
    expect(instances.flatMap(({ alerts }) => alerts())).toHaveLength(1);
    for (const each of instances) await each.close();
  });

  it('is not made before the log was looked at', async () => {
    const log = await openPostgresEventLog({ databaseUrl: databases.logUrl, known: knownEvents });
    const readAll = () => {
      throw new Error('the log does not answer');
    };
    const instance = await open({ log: { ...log, readAll } });
    await expect(instance.account()).rejects.toThrow(NumbersUnavailable);
    await instance.close();
    await log.close();
  });
});

describe('no id of an account is passed over', () => {
  it('where the log went on beyond what was counted, as it has whenever a service is killed', async () => {
    const account = await once((one) => one.account());
    await once(async (one) => {
      for (let nth = 0; nth < 5; nth++) await one.depositOf(account);
    });
    const asEver = async (one: Instance) => {
      expect((await one.account()).affiliateId).toBeLessThan(10);
      expect(one.alerts()).toEqual([]);
    };
    await once(asEver);
    // Nor where all of it is counted again.
    await once((one) => one.pool.query('DELETE FROM counted_through'));
    await once(asEver);
  });
});
