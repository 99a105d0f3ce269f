import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setAsideStream } from '#deposit-commands';
import { silentLogger } from '#platform/logging';
import type { Repeated } from '#platform/repeat';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { signal } from '../testing/signals.ts';
import { until } from '../testing/until.ts';
import { startTimers } from './start-timers.ts';
import { timersProjection } from './timers-projection.ts';

const LONG_AGO = '2026-03-01T12:00:00.000Z';
const EXPIRES = '2026-03-01T12:30:00.000Z';

const allButDate = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

const database = databasePerTest(...engineTables);
let engine: TestEngine;
let running: Repeated[];

const open = async (): Promise<TestEngine> => database.closing(await openTestEngine(database.url));

beforeEach(async () => {
  engine = await open();
  running = [];
});

const start = (instance: TestEngine, changes: Partial<Parameters<typeof startTimers>[0]> = {}): Repeated => {
  const { pool, log, applySignals } = instance;
  const own = { timeToScreen: 'since_seen', logger: silentLogger, everyMs: 5 } as const;
  const timers = startTimers({ pool, log, applySignals, ...own, ...changes });
  running.push(timers);
  database.atEnd(timers.stop);
  return timers;
};

const typesOf = async (id: number) => (await engine.eventsOf(id)).map(({ type }) => type);

const seen = signal(
  { type: 'payment.seen', txid: 'tx', vout: 0, amount: '2', fundingAddresses: ['from'], replaceable: false },
  '2026-03-01T12:05:00.000Z',
);

describe('timers', () => {
  it('expire each quote once, however many instances run', async () => {
    const other = await open();
    const ids = Array.from({ length: 30 }, (_, nth) => nth + 1);
    for (const id of ids) await engine.issue(id, { now: LONG_AGO });
    start(engine);
    start(other);
    start(other);
    engine.project(timersProjection);
    await until('every quote has expired', async () =>
      (await Promise.all(ids.map(typesOf))).every((types) => types.length > 1),
    );
    await Promise.all(running.map((each) => each.stop()));
    for (const id of ids) expect(await typesOf(id)).toEqual(['QuoteIssued', 'QuoteExpired']);
    const [, expired] = await engine.eventsOf(1);
    expect(expired).toMatchObject({ data: { at: EXPIRES, signalId: 'timer-expiry-1-0' } });
  });

  it('tell a deposit that its OFAC deadline was missed, and its answer still counts', async () => {
    await engine.issue(1, { now: LONG_AGO });
    await engine.applySignals(1, [seen], 'test');
    engine.project(timersProjection);
    start(engine);
    await until('the deadline was missed', async () => (await typesOf(1)).includes('OfacDeadlineMissed'));
    expect((await engine.eventsOf(1)).at(-1)).toMatchObject({ data: { at: '2026-03-01T12:06:00.000Z' } });
    const clear = signal({ type: 'ofac.completed', status: 'clear', address: null });
    expect(await engine.applySignals(1, [clear], 'test')).toMatchObject([{ outcome: 'applied' }]);
  });

  it('leave what is not due, and what was paid in time', async () => {
    await engine.issue(1, { now: new Date().toISOString() });
    await engine.issue(2, { now: LONG_AGO });
    const clear = signal({ type: 'ofac.completed', status: 'clear', address: null });
    await engine.applySignals(2, [seen, clear], 'test');
    await engine.issue(3, { now: LONG_AGO });
    engine.project(timersProjection);
    start(engine);
    await until('the third has expired', async () => (await typesOf(3)).length > 1);
    expect([await typesOf(1), await typesOf(2)]).toEqual([
      ['QuoteIssued'],
      ['QuoteIssued', 'PaymentSeen', 'OfacCompleted'],
    ]);
  });

  it('believe the deposit and not a row that is behind it', async () => {
    await engine.issue(1, { now: LONG_AGO });
    await engine.issue(2, { now: '2026-03-01T11:00:00.000Z' });
    await engine.applySignals(1, [seen], 'test');
    const stale = `INSERT INTO timers (deposit_id, kind, due_at, waiting, armed_by) VALUES
      (1, 'ofac_deadline', '2026-03-01T12:05:30Z', true, 0), (1, 'expiry', $1, true, 0), (2, 'expiry', $1, true, 0)`;
    await engine.pool.query(stale, ['2026-03-01T11:30:00.000Z']);
    const timers = start(engine, { now: () => new Date('2026-03-01T12:05:45.000Z') });
    await until('the second has expired', async () => (await typesOf(2)).length > 1);
    await timers.stop();
    expect(await typesOf(1)).toEqual(['QuoteIssued', 'PaymentSeen']);
    expect(await Array.fromAsync(engine.log.read(setAsideStream(1)))).toEqual([]);
  });

  it('ring at the deadline that the history knows where a row came back without it', async () => {
    const now = new Date();
    const expires = new Date(now.getTime() + 20 * 60_000);
    await engine.issue(1, { now: new Date(now.getTime() - 10 * 60_000).toISOString() });
    const at = now.toISOString();
    const clear = signal({ type: 'ofac.completed', status: 'clear', address: null }, at);
    const gone = signal({ type: 'payment.dropped', txid: 'tx', vout: 0 }, at);
    await engine.applySignals(1, [{ ...seen, at, now: at }, clear, gone], 'test');
    engine.project(timersProjection);
    const early = start(engine);
    const claimedUntil = async () =>
      (await engine.pool.query<{ until: Date }>('SELECT claimed_until AS until FROM timer_claims')).rows;
    await until('it is known when it expires', async () => {
      const [claim] = await claimedUntil();
      return claim?.until.getTime() === expires.getTime();
    });
    expect(await typesOf(1)).not.toContain('QuoteExpired');
    await early.stop();
    await engine.pool.query('UPDATE timer_claims SET claimed_until = now()');
    start(engine, { now: () => expires });
    await until('the quote has expired', async () => (await typesOf(1)).includes('QuoteExpired'));
    expect((await engine.eventsOf(1)).at(-1)).toMatchObject({ data: { at: expires.toISOString() } });
    await until('nothing waits any more', async () => (await engine.pool.query('SELECT FROM timers')).rowCount === 0);
  });

  it('ring by the clock of the database, whatever this process takes for the time', async () => {
    await engine.issue(1, { now: new Date().toISOString() });
    engine.project(timersProjection);
    await until('the timer is there', async () => (await engine.pool.query('SELECT FROM timers')).rowCount === 1);
    jest.useFakeTimers({ now: Date.now() + 3_600_000, doNotFake: allButDate });
    try {
      start(engine);
      await delay(200);
    } finally {
      jest.useRealTimers();
    }
    expect(await typesOf(1)).toEqual(['QuoteIssued']);
  });

  it('survive a restart: what became due meanwhile rings afterwards', async () => {
    await engine.issue(1, { now: LONG_AGO });
    engine.project(timersProjection);
    const before = start(engine, { now: () => new Date('2026-03-01T12:29:59.999Z') });
    await until('the timer is there', async () => (await engine.pool.query('SELECT FROM timers')).rowCount === 1);
    await before.stop();
    expect(await typesOf(1)).toEqual(['QuoteIssued']);
    await engine.close();
    engine = await open();
    start(engine, { now: () => new Date('2026-03-01T12:30:00.000Z') });
    await until('the quote has expired', async () => (await typesOf(1)).length > 1);
  });

  it('ring again when the instance that rang died before anybody heard', async () => {
    await engine.issue(1, { now: LONG_AGO });
    engine.project(timersProjection);
    let rung = 0;
    const dying = start(engine, {
      applySignals: async () => {
        rung += 1;
        throw new Error('killed');
      },
    });
    await until('it was rung once', async () => rung > 0);
    await dying.stop();
    await engine.pool.query('UPDATE timer_claims SET claimed_until = now()');
    start(engine);
    await until('the quote has expired', async () => (await typesOf(1)).length > 1);
  });
});
