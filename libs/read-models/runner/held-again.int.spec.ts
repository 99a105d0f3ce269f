import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AnotherLog, type EventLog, type EventMark } from '#event-log';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { applications, type Ground, groundTables, listenTo, openGround, PAYMENTS, payment } from '../testing/ground.ts';
import { readCheckpoint } from './checkpoint.ts';
import { isHeldAgain } from './held-again.ts';
import { lackOfRows } from './not-ahead.ts';
import { startProjection } from './start-projection.ts';

const database = databasePerFile(...groundTables);
let ground: Ground;

beforeAll(async () => {
  ground = database.closing(await openGround(database.url));
  await ground.pool.query(PAYMENTS);
});

beforeEach(() => ground.pool.query('TRUNCATE projection_checkpoints'));

const taken = async (): Promise<EventMark> => {
  const id = randomUUID();
  const stream = `deposit-${id}`;
  const { position } = await ground.log.append(stream, 'no_stream', [{ ...payment('1'), id }]);
  return { stream, revision: 0, position, id };
};

/** As long as any, of which these stand in it. */
const logWith = (...events: readonly EventMark[]): EventLog => {
  const isIn = (mark: EventMark): boolean => events.some(({ id }) => id === mark.id);
  return { ...ground.log, holds: async (mark) => isIn(mark), misses: async (mark) => !isIn(mark) };
};

const standsAt = (name: string, { position }: EventMark, last: EventMark | null) =>
  ground.pool.query(
    `INSERT INTO projection_checkpoints (name, version, position, events, last_event) VALUES ($1, 1, $2, 1, $3)
     ON CONFLICT (name, version) DO UPDATE SET position = $2, last_event = $3`,
    [name, position, last && JSON.stringify(last)],
  );

/** Beside a log that is shorter than what it has shown. */
const stopped = async (): Promise<void> => {
  const log = { ...ground.log, end: async () => undefined };
  const { ended } = startProjection({ projection: applications, log, pool: ground.pool, logger: listenTo().logger });
  expect(await ended).toMatchObject({ anotherLog: true });
};

const isHeldIn = async (log: EventLog): Promise<boolean> =>
  isHeldAgain(log, ground.pool, await readCheckpoint(ground.pool, applications));

it('A projection that has taken no event is known by what another had taken by then, not by what that takes of another log', async () => {
  const own = await taken();
  await standsAt('applications', own, null);
  await standsAt('payments', own, own);
  await stopped();
  const foreign = await taken();
  await standsAt('payments', foreign, foreign);
  expect(await isHeldIn(logWith(foreign))).toBe(false);
  await stopped();
  expect(await isHeldIn(logWith(foreign))).toBe(false);
  expect(await isHeldIn(logWith(own))).toBe(true);
}, 30_000);

it('One is known by nothing where no other had taken an event by then', async () => {
  const own = await taken();
  await standsAt('applications', own, null);
  await stopped();
  const foreign = await taken();
  await standsAt('payments', foreign, foreign);
  expect(await isHeldIn(logWith(foreign))).toBe(false);
}, 30_000);

it('One that a release of before has stopped is known by the newest that any has taken', async () => {
  const own = await taken();
  await standsAt('applications', own, null);
  await standsAt('payments', own, own);
  await stopped();
  await ground.pool.query(`UPDATE projection_checkpoints SET failure = failure - 'newest'`);
  expect([await isHeldIn(logWith()), await isHeldIn(logWith(own))]).toEqual([false, true]);
}, 30_000);

it('One that goes on in its own log says once since when it stood', async () => {
  const own = await taken();
  await standsAt('applications', own, own);
  await stopped();
  const { failure } = await readCheckpoint(ground.pool, applications);
  const { logger, lines } = listenTo();
  const back = () => lines.filter(({ fields }) => 'alert' in fields && fields.alert === 'own_log_back');
  for (const _ of [1, 2]) {
    const running = startProjection({ projection: applications, log: ground.log, pool: ground.pool, logger });
    await taken();
    while (!(await running.status()).caughtUp) await delay(20);
    await running.stop();
  }
  expect(back()).toMatchObject([{ level: 'error', fields: { projection: 'applications', since: failure?.at } }]);
}, 30_000);

it('What the log lacks of the rows of all is told without stopping any, and of no rows that a newer release has', async () => {
  const [own, other] = [await taken(), await taken()];
  const both = [applications, { name: 'payments', version: 1 }];
  await standsAt('applications', own, own);
  await standsAt('payments', other, other);
  expect(await lackOfRows(logWith(own, other), ground.pool, both)).toBeUndefined();
  expect(await lackOfRows(logWith(own), ground.pool, both)).toContain(other.stream);
  expect(await readCheckpoint(ground.pool, { name: 'payments', version: 1 })).toMatchObject({ state: 'running' });
  await ground.pool.query(`UPDATE projection_checkpoints SET state = 'retired' WHERE name = 'payments'`);
  expect(await lackOfRows(logWith(own), ground.pool, both)).toBeUndefined();
  await stopped();
  expect(await lackOfRows(logWith(other), ground.pool, both)).toContain('put back');
  expect(await lackOfRows(logWith(own, other), ground.pool, both)).toBeUndefined();
  expect(await readCheckpoint(ground.pool, applications)).toMatchObject({ state: 'stopped' });
}, 60_000);

const lacking: Pick<EventLog, 'holds' | 'misses'> = { holds: async () => false, misses: async () => true };
const FAR = `${'9'.repeat(20)}.${'9'.repeat(20)}` as EventMark['position'];

/** It has read on behind its last event, and the log ends before that. */
const readFurther = async (last: EventMark | null): Promise<EventLog> => {
  await standsAt('applications', { ...(last ?? (await taken())), position: FAR }, last);
  return { ...ground.log, end: async () => last?.position };
};

const goesOn = async (log: EventLog): Promise<boolean> => {
  const { logger } = listenTo();
  const running = startProjection({ projection: applications, log, pool: ground.pool, logger });
  const isOver = await Promise.race([running.ended.then(() => true), delay(8_000).then(() => false)]);
  await running.stop();
  return !isOver;
};

it('One that stands behind the end of a log that holds its last event goes back to that, and nothing is written before', async () => {
  const own = await taken();
  const log = await readFurther(own);
  expect(await lackOfRows(log, ground.pool, [applications])).toContain('the log ends at');
  expect(await goesOn(log)).toBe(true);
  expect(await readCheckpoint(ground.pool, applications)).toMatchObject({ position: own.position, state: 'running' });
  expect(await lackOfRows(log, ground.pool, [applications])).toBeUndefined();
}, 60_000);

it('One that stands within a record of a log as long as any goes back to its last event too', async () => {
  const own = await taken();
  await readFurther(own);
  const readAll: EventLog['readAll'] = (options) => {
    if (options?.after === FAR) throw new AnotherLog(`stands at ${FAR}, where no record of the log begins`);
    return ground.log.readAll(options);
  };
  const log: EventLog = { ...ground.log, end: async () => FAR, readAll };
  expect(await lackOfRows(log, ground.pool, [applications])).toContain('no record of the log begins');
  expect(await goesOn(log)).toBe(true);
  expect(await readCheckpoint(ground.pool, applications)).toMatchObject({ position: own.position, isBehindLast: true });
}, 60_000);

it.each([
  ['does not hold its last event', async (own: EventMark) => ({ ...(await readFurther(own)), ...lacking })],
  ['cannot be told by one', async () => readFurther(null)],
  [
    'has an event of it behind that one',
    async (own: EventMark) => {
      await taken();
      return readFurther(own);
    },
  ],
  [
    'is read anew by a rebuild',
    async (own: EventMark) => {
      await ground.pool.query(`INSERT INTO projection_rebuilds (name, version) VALUES ('applications', 1)`);
      return readFurther(own);
    },
  ],
])(
  'It stays where it is where the log %s',
  async (_, shorter) => {
    const log = await shorter(await taken());
    expect(await goesOn(log)).toBe(false);
    await ground.pool.query('TRUNCATE projection_rebuilds');
    expect(await readCheckpoint(ground.pool, applications)).toMatchObject({ position: FAR, state: 'stopped' });
  },
  60_000,
);
