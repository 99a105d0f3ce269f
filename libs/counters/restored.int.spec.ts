import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { knownEvents, NumbersUnavailable } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { putBack } from '../../test/support/database.ts';
import { databasesPerTest, skipAhead } from './testing/databases.ts';
import { openBeside } from './testing/open-beside.ts';
import { untilCreated } from './testing/until-created.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('apart');
const { copied } = databases;

type Options = { readonly at?: string; readonly logUrl?: string; readonly log?: EventLog; readonly keep?: boolean };

const open = ({ at = databases.url, ...more }: Options = {}) =>
  openBeside({ url: at, logUrl: databases.logUrl, ...more });

const untilLevel = async ({ counters }: Instance): Promise<void> => {
  for (let tries = 0; tries < 400; tries++) {
    const isLevel = await counters.beforeGiving().then(
      () => true,
      () => false,
    );
    if (isLevel) return;
    await later(25);
  }
  throw new Error('the log was not counted in time');
};

type Instance = Awaited<ReturnType<typeof open>>;

const ready = async (options?: Options): Promise<Instance> => {
  const instance = await open(options);
  expect(await instance.counters.firstLook).toBeUndefined();
  return instance;
};

const several = async ({ create }: Instance, count: number) => {
  const deposits = [];
  for (let nth = 0; nth < count; nth++) deposits.push(await create());
  return deposits;
};

/** A service whose database is exchanged for one that lacks the last moments, and what these have given. */
const takenOver = async (options: Options = {}) => {
  const before = await ready();
  await several(before, 3);
  await before.close();
  // So that the mark of the copy is at its end.
  await (await ready()).close();
  const copy = await copied();
  const service = await ready({ ...options, keep: true });
  const lost = await several(service, 5);
  await skipAhead(copy.url, ['deposit_ids', 'transaction_ids', 'return_ids']);
  await putBack(databases.url, copy);
  return { service, lost };
};

const distinct = (values: readonly unknown[]): void => expect(new Set(values).size).toBe(values.length);

describe('a database that was put back beside a log that went on', () => {
  it('gives nothing twice: no id, no transaction, no return, no address', async () => {
    const before = await ready();
    const first = await several(before, 3);
    const returns = [await before.giveBack(first[0]?.id ?? 0)];
    await before.close();
    const copy = await copied();
    const gone = await ready();
    const lost = await several(gone, 12);
    returns.push(await gone.giveBack(first[1]?.id ?? 0));
    await gone.close();

    const after = await ready({ at: copy.url });
    const anew = await several(after, 6);
    returns.push(await after.giveBack(first[2]?.id ?? 0));
    const all = [...first, ...lost, ...anew];
    distinct(all.map(({ id }) => id));
    distinct(all.map(({ transactionId }) => transactionId));
    distinct(all.map(({ address }) => address));
    distinct(returns);
    for (const { id, address } of all) expect(await after.addresses.ownerOf(address ?? '')).toEqual({ depositId: id });
    await after.close();
  });

  it('answers under an Idempotency-Key of its copy as before, and makes another deposit under a later one', async () => {
    const asked = (key: string) => ({ key, gamblerRef: `player of ${key}` });
    const before = await ready();
    const known = await before.create(asked('a-key'));
    await before.close();
    const copy = await copied();
    const gone = await ready();
    const lost = await gone.create(asked('a-later-key'));
    await gone.close();

    const after = await ready({ at: copy.url });
    expect(await after.create(asked('a-key'))).toEqual(known);
    const anew = await after.create(asked('a-later-key'));
    distinct([known, lost, anew].map(({ id }) => id));
    distinct([known, lost, anew].map(({ address }) => address));
    await after.close();
  });

  it('gives nothing twice under a service that runs on, and shows nobody the deposit of another', async () => {
    const running = await ready({ keep: true });
    const first = await several(running, 2);
    await running.close();
    const copy = await copied();
    const service = await ready({ keep: true });
    const lost = await several(service, 5);
    service.counters.doubt('so that the mark is at the end');
    await expect(service.create()).rejects.toThrow(NumbersUnavailable);
    await untilLevel(service);
    await putBack(databases.url, copy);
    const anew = [];
    for (let tries = 0; anew.length < 4 && tries < 400; tries++) {
      const one = await service.create().catch(() => undefined);
      if (one) anew.push(one);
      else await later(25);
    }
    const all = [...first, ...lost, ...anew];
    distinct(all.map(({ id }) => id));
    distinct(all.map(({ address }) => address));
    distinct(all.map(({ gamblerRef }) => gamblerRef));
    await service.close();
  });

  it.each([
    ['one after the other', 1],
    ['many at once', 8],
  ])('gives no address twice where a standby takes over that lacks the last moments: %s', async (_, atOnce) => {
    const { service, lost } = await takenOver();
    const calls = Array.from({ length: 8 }, () => () => untilCreated(service));
    const anew = [];
    while (calls.length > 0) anew.push(...(await Promise.all(calls.splice(0, atOnce).map((call) => call()))));
    const all = [...lost, ...anew];
    distinct(all.map(({ id }) => id));
    distinct(all.map(({ address }) => address));
    await service.close();
  });

  it('keeps what was taken on the first connection to it, or while it is looked at, from whoever took it', async () => {
    const log = await openPostgresEventLog({ databaseUrl: databases.logUrl, known: knownEvents });
    const looked = Promise.withResolvers<void>();
    const [counting, isTakenOver] = [Promise.withResolvers<void>(), { yet: false }];
    const slow: EventLog = {
      ...log,
      readAll: async function* (options) {
        if (isTakenOver.yet) counting.resolve();
        if (isTakenOver.yet) await looked.promise;
        yield* log.readAll(options);
      },
    };
    const { service, lost } = await takenOver({ log: slow });
    isTakenOver.yet = true;
    const take = (id: number) => service.counters.giving(() => service.addresses.take('BTC', id));
    const first = take(1_001);
    await counting.promise;
    const second = take(1_002);
    await service.pool.query('SELECT');
    looked.resolve();
    distinct([...lost.map(({ address }) => address), await first, await second]);
    await service.close();
    await log.close();
  });

  it('gives no number before it has looked at the log', async () => {
    const log = await openPostgresEventLog({ databaseUrl: databases.logUrl, known: knownEvents });
    let answers = false;
    const silent: EventLog = {
      ...log,
      readAll: (options) => {
        if (!answers) throw new Error('the log does not answer');
        return log.readAll(options);
      },
    };
    const instance = await open({ log: silent });
    await expect(instance.create()).rejects.toThrow(NumbersUnavailable);
    answers = true;
    await instance.counters.firstLook;
    await instance.create();
    await instance.close();
    await log.close();
  });

  it('that is empty goes on behind everything too', async () => {
    const before = await ready();
    const lost = await several(before, 8);
    await before.close();
    const empty = await ready({ at: await databases.emptyService() });
    const anew = await several(empty, 2);
    distinct([...lost, ...anew].map(({ id }) => id));
    distinct([...lost, ...anew].map(({ address }) => address));
    await empty.close();
  });
});

describe('a number that was given before all the same', () => {
  it('makes no deposit, shows none, and closes the counter until the log is counted again', async () => {
    const instance = await ready({ keep: true });
    const [known] = await several(instance, 1);
    await instance.pool.query("SELECT setval('deposit_ids', 1, false), setval('transaction_ids', 1, false)");
    await expect(instance.create()).rejects.toThrow(`deposit ${known?.id} stands in the log already`);
    await untilLevel(instance);
    expect((await instance.create()).id).toBeGreaterThan(known?.id ?? 0);
    await instance.close();
  });

  it('shows no deposit of another under an Idempotency-Key either', async () => {
    const instance = await ready({ keep: true });
    await several(instance, 1);
    await instance.pool.query("SELECT setval('deposit_ids', 1, false), setval('transaction_ids', 1, false)");
    await expect(instance.create({ key: 'a-key' })).rejects.toThrow(NumbersUnavailable);
    await instance.close();
  });
});

describe('a database that is ahead of its log', () => {
  it('is refused by name', async () => {
    const before = await ready();
    await several(before, 2);
    await before.close();
    const again = await ready();
    await again.close();
    const emptied = await openPostgresEventLog({ databaseUrl: await databases.emptyLog(), known: knownEvents });
    const instance = await open({ log: emptied });
    const found = await instance.counters.firstLook;
    expect(found?.message).toMatch(
      /^the database is ahead of its event log: it has counted event .* \(stream deposit-2/,
    );
    await expect(instance.create()).rejects.toThrow(NumbersUnavailable);
    await instance.close();
    await emptied.close();
  });

  it('is told by what the log holds there, when another log is longer', async () => {
    const before = await ready();
    await several(before, 1);
    await before.close();
    await (await ready()).close();
    const logUrl = await databases.emptyLog();
    const other = await ready({ at: await databases.emptyService(), logUrl });
    await several(other, 5);
    await other.close();
    const instance = await open({ logUrl });
    expect((await instance.counters.firstLook)?.message).toContain('the database is ahead of its event log');
    await instance.close();
  });
});
