import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '#platform/logging';
import type { Repeated } from '#platform/repeat';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { returnNow } from '../testing/return-now.ts';
import { signal } from '../testing/signals.ts';
import { until } from '../testing/until.ts';
import { listReturns } from './list-returns.ts';
import type { RefundSender } from './refund-sender.ts';
import { returnsProjection } from './returns-projection.ts';
import { sendRefund } from './send-refund.ts';
import { simulatedSender } from './simulated-sender.ts';
import { startRefunds } from './start-refunds.ts';

const database = databasePerTest(...engineTables);
let engine: TestEngine;
let running: Repeated[];
let sent: string[];

/** Sends by writing down: what stands twice was sent twice. */
const sender: RefundSender = {
  prepare: simulatedSender.prepare,
  send: async (_, { txid }) => {
    sent.push(txid);
  },
};

const open = async (): Promise<TestEngine> => database.closing(await openTestEngine(database.url));

beforeEach(async () => {
  engine = await open();
  engine.project(returnsProjection);
  [running, sent] = [[], []];
});

const start = (changes: Partial<Parameters<typeof startRefunds>[0]> = {}, instance = engine): Repeated => {
  const { pool, log, applySignals } = instance;
  const parts = { pool, log, applySignals, sender, logger: silentLogger, cycleMs: 20, everyMs: 5 };
  const refunds = startRefunds({ ...parts, ...changes });
  running.push(refunds);
  database.atEnd(refunds.stop);
  return refunds;
};

const returned = (id: number): Promise<number> => returnNow(engine, id);

const broadcasts = async (id: number) =>
  (await engine.eventsOf(id)).flatMap((event) => (event.type === 'RefundBroadcast' ? [event.data.refundTxid] : []));
const isBroadcast = async (id: number) => (await broadcasts(id)).length > 0;
const isQueued = async () => (await listReturns(engine.pool, { state: 'queued' })).items.length > 0;
const nextCycle = () => engine.pool.query('UPDATE refund_cycle SET next_run_at = now()');

describe('refunds', () => {
  it('are sent once each and reported, however many instances run', async () => {
    const other = await open();
    for (const id of [1, 2, 3, 4, 5]) await returned(id);
    start();
    start();
    start({}, other);
    await until('all are broadcast', async () => {
      const { items: returns } = await listReturns(engine.pool, { state: 'broadcast' });
      return returns.length === 5;
    });
    await Promise.all(running.map((each) => each.stop()));
    expect(sent.toSorted()).toEqual((await Promise.all([1, 2, 3, 4, 5].map(broadcasts))).flat().toSorted());
    expect(new Set(sent).size).toBe(5);
    const { items: returns } = await listReturns(engine.pool, { deposit_id: 1 });
    expect(returns).toMatchObject([
      {
        return_id: 101,
        address: 'home',
        amount: '2',
        currency: 'LTC',
        state: 'broadcast',
        last_txid: expect.any(String),
      },
    ]);
  });

  it('are not sent again by an instance that looked before another was done', async () => {
    await returned(1);
    const { pool, log, applySignals } = engine;
    const parts = { pool, log, applySignals, sender, logger: silentLogger, now: () => new Date() };
    const [preparing, prepared] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: RefundSender = {
      ...sender,
      prepare: async (order) => {
        preparing.resolve();
        await prepared.promise;
        return sender.prepare(order);
      },
    };
    const late = sendRefund({ ...parts, sender: slow }, 1);
    await preparing.promise;
    await sendRefund(parts, 1);
    prepared.resolve();
    await late;
    expect(sent).toHaveLength(1);
    expect(await broadcasts(1)).toEqual(sent);
  });

  it('go out with the cycle and not before, and the cycle survives a restart', async () => {
    await returned(1);
    await until('it is queued', isQueued);
    await engine.pool.query("UPDATE refund_cycle SET next_run_at = now() + interval '5 minutes'");
    let turns = 0;
    const counting = new Proxy(engine.pool, {
      get: (pool, name) => {
        if (name === 'query') turns += 1;
        const value: unknown = Reflect.get(pool, name);
        return typeof value === 'function' ? value.bind(pool) : value;
      },
    });
    start({ cycleMs: 300_000, pool: counting });
    await until('it has looked a few times', async () => turns > 3);
    expect(sent).toEqual([]);
    await nextCycle();
    await until('it is broadcast', () => isBroadcast(1));
  });

  it('cut off between the sending and its record are sent again as the very same transaction', async () => {
    await returned(1);
    await until('it is queued', isQueued);
    const dying = start({
      sender: {
        prepare: async ({ attempt }) => ({ txid: `first-instance-${attempt}`, transaction: 'signed' }),
        send: async (_, { txid }) => {
          sent.push(txid);
          throw new Error('killed');
        },
      },
    });
    await until('it was sent', async () => sent.length > 0);
    await dying.stop();
    expect(await isBroadcast(1)).toBe(false);
    start({
      sender: { ...sender, prepare: async ({ attempt }) => ({ txid: `second-instance-${attempt}`, transaction: '' }) },
    });
    await until('it is broadcast', () => isBroadcast(1));
    expect(await broadcasts(1)).toEqual(['first-instance-1']);
    expect(new Set(sent)).toEqual(new Set(['first-instance-1']));
  });

  it('that were dropped are sent again as another transaction', async () => {
    await returned(1);
    start();
    await until('it is broadcast', () => isBroadcast(1));
    const [first = ''] = await broadcasts(1);
    await engine.applySignals(1, [signal({ type: 'refund.dropped', returnId: 101, refundTxid: first })], 'test');
    await until('it is broadcast again', async () => (await broadcasts(1)).length === 2);
    expect(new Set(await broadcasts(1)).size).toBe(2);
  });

  it('wait while screening holds them, and while a payment lost its confirmation', async () => {
    await returned(1);
    await returned(2);
    await returned(3);
    await engine.applySignals(1, [signal({ type: 'ofac.completed', status: 'hit', address: 'bad' })], 'test');
    await engine.applySignals(2, [signal({ type: 'payment.reorged', txid: 'tx-2', vout: 0 })], 'test');
    start();
    await until('the third is broadcast', () => isBroadcast(3));
    expect([await isBroadcast(1), await isBroadcast(2), sent.length]).toEqual([false, false, 1]);
    await until('the first is shown as held', async () => {
      const { items: returns } = await listReturns(engine.pool, { state: 'held' });
      return returns.some(({ deposit_id, held_because }) => deposit_id === 1 && held_because === 'ofac_hit');
    });
    const again = signal({
      type: 'payment.confirmed',
      txid: 'tx-2',
      vout: 0,
      confirmations: 1,
      blockHash: null,
      blockHeight: null,
    });
    await engine.applySignals(2, [again], 'test');
    await until('the second is broadcast', () => isBroadcast(2));
  });

  it('that cannot be sent hold up no other', async () => {
    await returned(1);
    await returned(2);
    start({
      sender: {
        ...sender,
        prepare: async (order) => {
          if (order.returnId === 101) throw new Error('the address is malformed');
          return simulatedSender.prepare(order);
        },
      },
    });
    await until('the second is broadcast', () => isBroadcast(2));
    expect(await isBroadcast(1)).toBe(false);
  });
});
