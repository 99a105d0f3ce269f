import { beforeEach, describe, expect, it } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { silentLogger } from '#platform/logging';
import type { Repeated } from '#platform/repeat';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { signal } from '../testing/signals.ts';
import { until } from '../testing/until.ts';
import { startTimers } from './start-timers.ts';
import { timersProjection } from './timers-projection.ts';

const MINED_AT = '2026-03-01T12:05:00.000Z';
const DEADLINE = '2026-03-01T12:06:00.000Z';

const database = databasePerTest(...engineTables);
let engine: TestEngine;

const open = async (): Promise<TestEngine> => database.closing(await openTestEngine(database.url));

beforeEach(async () => {
  engine = await open();
  engine.project(timersProjection);
  await engine.issue(1, { now: '2026-03-01T12:00:00.000Z' });
});

const pays = (txid: string, from: string) =>
  signal({ type: 'payment.seen', txid, vout: 0, amount: '1', fundingAddresses: [from], replaceable: false }, MINED_AT);

const clear = () => signal({ type: 'ofac.completed', status: 'clear', address: null }, MINED_AT);

const secondsAfterLast = async (seconds: number): Promise<Date> => {
  const events = await Array.fromAsync(engine.log.read(depositStream(1)));
  return new Date(Number(events.at(-1)?.recordedAt) + seconds * 1_000);
};

/** One of the instances of `ENGINE=live`, at a time of its own. */
const start = ({ pool, log, applySignals }: TestEngine, now: Date): Repeated => {
  const own = { timeToScreen: 'since_recorded', logger: silentLogger, everyMs: 5, now: () => now } as const;
  const timers = startTimers({ pool, log, applySignals, ...own });
  database.atEnd(timers.stop);
  return timers;
};

const typesOf = async () => (await engine.eventsOf(1)).map(({ type }) => type);

const held = async () =>
  (await engine.pool.query<{ until: Date }>('SELECT claimed_until AS until FROM timer_claims')).rows;

/** Has instances look at that time, until one of them knows how long to wait. */
const holdsAt = async (seconds: number, ends: Date, ...instances: readonly TestEngine[]): Promise<void> => {
  const now = await secondsAfterLast(seconds);
  const running = instances.map((each) => start(each, now));
  await until('it is known when the time to screen ends', async () =>
    (await held()).some(({ until }) => until.getTime() === ends.getTime()),
  );
  await Promise.all(running.map(({ stop }) => stop()));
  expect(await typesOf()).not.toContain('OfacDeadlineMissed');
  await engine.pool.query('UPDATE timer_claims SET claimed_until = now()');
};

const rings = async (...instances: readonly TestEngine[]): Promise<void> => {
  const now = await secondsAfterLast(60);
  for (const each of instances) start(each, now);
  await until('the deadline was missed', async () => (await typesOf()).includes('OfacDeadlineMissed'));
};

describe('with ENGINE=live the deadline of a payment that was told late', () => {
  it('is missed once whoever screens had the time for it since it was recorded, and has its own time all the same', async () => {
    await engine.applySignals(1, [pays('tx', 'from')], 'test');
    await holdsAt(59.9, await secondsAfterLast(60), engine);
    await rings(engine);
    expect((await engine.eventsOf(1)).at(-1)).toMatchObject({ data: { at: DEADLINE } });
  });

  it('is so through a restart, and by whichever of several instances', async () => {
    await engine.applySignals(1, [pays('tx', 'from')], 'test');
    const ends = await secondsAfterLast(60);
    await holdsAt(1, ends, engine);
    await engine.close();
    const [here, there] = [await open(), await open()];
    engine = here;
    await holdsAt(59, ends, here, there);
    await rings(here, there);
    expect((await typesOf()).filter((type) => type === 'OfacDeadlineMissed')).toHaveLength(1);
  });

  it.each([
    ['before OFAC answered', false],
    ['after it', true],
  ])('begins anew with a payment of another sender in the same block, %s', async (_, answered) => {
    await engine.applySignals(1, [pays('tx-1', 'from'), ...(answered ? [clear()] : [])], 'test');
    await engine.applySignals(1, [pays('tx-2', 'another')], 'test');
    await holdsAt(59.9, await secondsAfterLast(60), engine);
    await rings(engine);
  });

  it('is put off by no other payment of the same sender', async () => {
    await engine.applySignals(1, [pays('tx-1', 'from')], 'test');
    const now = await secondsAfterLast(60);
    await engine.applySignals(1, [pays('tx-2', 'from')], 'test');
    start(engine, now);
    await until('the deadline was missed', async () => (await typesOf()).includes('OfacDeadlineMissed'));
  });

  it('is missed at its own time where that comes later', async () => {
    const mined = new Date(Date.now() + 600_000);
    const at = mined.toISOString();
    await engine.applySignals(1, [{ ...pays('tx-1', 'from'), at }, clear()], 'test');
    await engine.applySignals(1, [{ ...pays('tx-2', 'another'), at }], 'test');
    await holdsAt(61, new Date(mined.getTime() + 60_000), engine);
  });
});
