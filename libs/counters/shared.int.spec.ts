import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { knownEvents, NumbersUnavailable } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { recordChange } from '#partners';
import { createHealth } from '#platform/health';
import { createLog } from '#platform/logging';
import { inTransaction } from '#platform/postgres';
import { putBack } from '../../test/support/database.ts';
import { askForRaise } from './index.ts';
import { databasesPerTest } from './testing/databases.ts';
import { openBeside } from './testing/open-beside.ts';
import { untilCreated } from './testing/until-created.ts';

/** Databases are made, copied and filled again. */
jest.setTimeout(90_000);

const databases = databasesPerTest('apart');

const open = async (url: string, log?: EventLog) => {
  const told: Readonly<Record<string, unknown>>[] = [];
  const { logger } = createLog({ level: 'error', to: { write: (line) => void told.push(JSON.parse(line)) } });
  const health = createHealth();
  const instance = await openBeside({ url, logUrl: databases.logUrl, log, keep: true, logger, health });
  expect(await instance.counters.firstLook).toBeUndefined();
  const sharedAt = async () =>
    (await instance.pool.query('SELECT shared_at AS at FROM numbers_given_in')).rows[0]?.at ?? undefined;
  return {
    ...instance,
    sharedAt,
    alerts: () => told.flatMap(({ alert }) => (alert === 'numbers_shared' ? [alert] : [])),
    alarms: async () => (await health.readiness()).alarms ?? [],
  };
};

type Instance = Awaited<ReturnType<typeof open>>;

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 400 && !(await holds()); tries++) await later(25);
  expect(await holds()).toBe(true);
};

const isSilent =
  ({ counters }: Instance, why: RegExp) =>
  async (): Promise<boolean> =>
    counters.beforeGiving().then(
      () => false,
      (error: unknown) => error instanceof NumbersUnavailable && why.test(error.message),
    );

/** A service, and another on a copy of its database, beside one log. */
const both = async () => {
  const before = await open(databases.url);
  await before.create();
  await before.close();
  const copy = await databases.copied();
  return { own: await open(databases.url), copied: await open(copy.url) };
};

const collide = async (one: Instance, other: Instance): Promise<void> => {
  await untilCreated(other);
  await expect(one.create()).rejects.toThrow(/deposit \d+ stands in the log already/);
};

const TOLD = /most likely a second database of this installation/;

describe('two databases of one installation beside one log', () => {
  it('are told of where a number stands in the log that was counted, and the service goes on above it', async () => {
    const { own, copied } = await both();
    await collide(own, copied);
    await untilCreated(own);
    expect(own.alerts()).toEqual(['numbers_shared']);
    expect(await own.alarms()).toEqual([expect.stringMatching(TOLD)]);
    expect(await own.sharedAt()).toBeInstanceOf(Date);
    const { rows } = await own.pool.query("SELECT after FROM audit_trail WHERE subject = 'numbers' ORDER BY id DESC");
    expect(rows[0].after).toEqual({ because: expect.stringMatching(TOLD) });
    await Promise.all([own.close(), copied.close()]);
  });

  it('are given no number more by whoever meets that again, until numbers are raised', async () => {
    const { own, copied } = await both();
    await collide(own, copied);
    await untilCreated(own);
    await collide(own, copied);
    await until(isSilent(own, /^no number is given out any more: .*cointill numbers raise/));
    own.counters.doubt('so that the log is counted again');
    await later(500);
    await until(isSilent(own, /^no number is given out any more/));
    await until(() =>
      own.counters
        .counted()
        .then(() => true)
        .catch(() => false),
    );
    expect(await own.alarms()).toContainEqual(expect.stringMatching(/^no number is given out any more/));
    await askForRaise(own.pool, 'cointill (olga)');
    own.counters.doubt('so that it is looked at now');
    expect((await untilCreated(own)).id).toBeGreaterThan(1_000_000);
    expect(await own.alarms()).toEqual([]);
    await Promise.all([own.close(), copied.close()]);
  });

  it('are told of by transactions of the older interface too, beyond those that were counted', async () => {
    const own = await open(databases.url);
    const { transactionId } = await own.create();
    own.counters.stoodInLog('transaction', transactionId + 1);
    await untilCreated(own);
    own.counters.stoodInLog('transaction', transactionId);
    await untilCreated(own);
    expect(own.alerts()).toEqual(['numbers_shared']);
    const why = `transaction ${transactionId + 1} stood in the event log already, which had been counted`;
    expect(await own.alarms()).toEqual([expect.stringContaining(why)]);
    await own.close();
  });

  it('are written down without standing in the way of whoever raises numbers at the same moment', async () => {
    const own = await open(databases.url);
    const { id } = await own.create();
    const isWaited = async (): Promise<boolean> =>
      (await own.pool.query("SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('tuple', 'transactionid')"))
        .rowCount !== 0;
    await inTransaction(own.pool, async (db) => {
      await db.query("SET LOCAL lock_timeout = '500ms'");
      await db.query('SELECT FROM numbers_given_in FOR UPDATE');
      own.counters.stoodInLog('deposit', id + 1);
      await until(isWaited);
      const what = { actor: 'test', action: 'changed', subject: 'numbers', subjectId: 'all' } as const;
      await recordChange(db, { ...what, before: null, after: null });
    });
    await untilCreated(own);
    expect(own.alerts()).toEqual(['numbers_shared']);
    await own.close();
  });

  it('are one where several calls at once meet it', async () => {
    const { own, copied } = await both();
    for (let nth = 0; nth < 3; nth++) await untilCreated(copied);
    const calls = await Promise.allSettled([own.create(), own.create(), own.create()]);
    expect(calls.map(({ status }) => status)).toContain('rejected');
    await untilCreated(own);
    expect(own.alerts()).toEqual(['numbers_shared']);
    await Promise.all([own.close(), copied.close()]);
  });
});

it('A database that is put back under a service is no second one, also where it gives a number twice first', async () => {
  const before = await open(databases.url);
  await before.create();
  await before.close();
  const copy = await databases.copied();
  const service = await open(databases.url);
  for (let nth = 0; nth < 3; nth++) await service.create();
  await putBack(databases.url, copy);
  await untilCreated(service);
  expect([service.alerts(), await service.alarms(), await service.sharedAt()]).toEqual([[], [], undefined]);
  await service.close();
});

/** What is to begin a stream waits, once it is told so, and goes on one by one. */
const withLatecomers = async () => {
  const real = await openPostgresEventLog({ databaseUrl: databases.logUrl, known: knownEvents });
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const append: EventLog['append'] = async (...asked) => {
    if (isHeld && asked[1] === 'no_stream') await new Promise<void>((resolve) => waiting.push(resolve));
    return real.append(...asked);
  };
  return { ...{ real, waiting }, log: { ...real, append }, hold: (held: boolean) => (isHeld = held) };
};

it('A database that is put back is no second one where numbers of before come to the log after its new ones are given', async () => {
  const before = await open(databases.url);
  await before.create();
  await before.close();
  const copy = await databases.copied();
  const { real, waiting, log, hold } = await withLatecomers();
  const service = await open(databases.url, log);
  hold(true);
  const late = [service.create(), service.create(), service.create()];
  const settled = Promise.allSettled(late);
  await until(async () => waiting.length === late.length);
  hold(false);
  await putBack(databases.url, copy);
  // Else each would be met by its address, and numbers would be taken once more for that.
  await until(() =>
    service.pool.query('UPDATE pool_addresses SET retired = true WHERE taken_at IS NULL').then(
      () => true,
      () => false,
    ),
  );
  await untilCreated(service);
  for (const goOn of waiting) {
    goOn();
    await later(300);
    await untilCreated(service);
  }
  await settled;
  expect([service.alerts(), await service.alarms(), await service.sharedAt()]).toEqual([[], [], undefined]);
  await service.close();
  await real.close();
});
