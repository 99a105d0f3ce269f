import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus } from '#bus';
import { createLog, silentLogger } from '#platform/logging';
import type { Migrations } from '#platform/migrations';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { startFailingSignals } from '../failing/start-failing.ts';
import { consumeSignals, SIGNALS_TOPIC } from '../from-bus/consume-signals.ts';
import { listSignals } from '../registry/list-signals.ts';
import { engineTables, openTestEngine, type TestEngine } from './open-engine.ts';
import { until } from './until.ts';

const at = '2026-03-01T12:00:00Z';

export type Carrier = { readonly bus: Bus; readonly close: () => Promise<void> };

const patience = 120_000;

/** The same on every carrier. */
export const describeSignalsTopic = (
  name: string,
  carrierTables: readonly Migrations[],
  openCarrier: (databaseUrl: string) => Promise<Carrier>,
): void =>
  describe(`the topic engine.signals on ${name}`, () => {
    const database = databasePerFile(...engineTables, ...carrierTables);
    let engine: TestEngine;
    let carrier: Carrier;

    beforeAll(async () => {
      engine = database.closing(await openTestEngine(database.url));
      carrier = database.closing(await openCarrier(database.url));
    }, patience);

    const typesOf = async (id: number) => (await engine.eventsOf(id)).map(({ type }) => type);

    it(
      'takes single signals and lists, skips what is none, and waits out a store that does not answer',
      async () => {
        await engine.issue(1, { now: at });
        const seen = { signal_id: 'm-1', deposit_id: 1, type: 'payment.seen', at, txid: 'tx', amount: '2' };
        const confirmed = { ...seen, signal_id: 'm-2', type: 'payment.confirmed', confirmations: 1 };
        const values = [
          'not JSON',
          JSON.stringify(seen),
          '"text"',
          `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
          JSON.stringify({
            ...seen,
            signal_id: 'm-3',
            amount: 1,
            nested: JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`),
          }),
          JSON.stringify({ signals: [seen, confirmed] }),
        ];
        let failures = 2;
        const consumer = await consumeSignals({
          bus: carrier.bus,
          pool: engine.pool,
          ownerOfAddress: async () => undefined,
          logger: silentLogger,
          takeSignals: async (signals, actor) => {
            if (failures-- > 0) throw new Error('the store does not answer');
            return engine.takeSignals(signals, actor);
          },
        });
        await carrier.bus.publish(
          SIGNALS_TOPIC,
          values.map((value, nth) => ({ id: `message-${nth}`, key: 'deposit-1', value })),
        );
        await until('the payment is confirmed', async () => (await typesOf(1)).length === 3);
        await consumer.stop();
        expect(await typesOf(1)).toEqual(['QuoteIssued', 'PaymentSeen', 'PaymentConfirmed']);
        expect(await carrier.bus.lag(SIGNALS_TOPIC, 'engine')).toBe(0);
      },
      patience,
    );

    it(
      'keeps for operators what has no id of its own, and takes lists and what begins with a byte order mark',
      async () => {
        await engine.issue(4, { now: at });
        const { pool, takeSignals } = engine;
        const ownerOfAddress = async () => undefined;
        const alerts: unknown[] = [];
        const { logger } = createLog({ level: 'warn', to: { write: (line) => alerts.push(JSON.parse(line)) } });
        const consumer = await consumeSignals({ bus: carrier.bus, pool, ownerOfAddress, logger, takeSignals });
        const seen = { signal_id: 'u-1', deposit_id: 4, type: 'payment.seen', at, txid: 'tx-4', amount: '2' };
        const confirmed = { ...seen, signal_id: 'u-2', type: 'payment.confirmed', confirmations: 1 };
        const lines = [seen, confirmed].map((signal) => JSON.stringify({ ...signal, signal_id: 'u-3' })).join('\n');
        const large = 'x'.repeat(200_000);
        const values = [
          `\ufeff${JSON.stringify([seen, { ...seen, signal_id: 7 }])}`,
          JSON.stringify([confirmed]),
          lines,
          JSON.stringify({ ...seen, signal_id: large }),
        ];
        const before = (await listSignals(pool, { outcome: 'rejected' })).items.length;
        await carrier.bus.publish(
          SIGNALS_TOPIC,
          values.map((value, nth) => ({ id: `unnamed-${nth}`, key: 'deposit-4', value })),
        );
        await until('the payment is confirmed', async () => (await typesOf(4)).length === 3);
        await until('all are taken', async () => (await carrier.bus.lag(SIGNALS_TOPIC, 'engine')) === 0);
        await consumer.stop();
        const { items } = await listSignals(pool, { outcome: 'rejected' });
        const kept = items.slice(0, items.length - before);
        expect(kept).toMatchObject([
          { deposit_id: 4, type: 'payment.seen', detail: expect.stringContaining('signal_id has to be text') },
          { deposit_id: null, payload: { unreadable: lines }, detail: expect.stringContaining('not JSON') },
          { deposit_id: 4, payload: { ...seen, signal_id: 7 }, detail: expect.stringContaining('signal_id has to be') },
        ]);
        for (const { signal_id } of kept) expect(signal_id).toMatch(/^engine\.signals\/\d+\/\d+\/\d\/[0-9a-f]{8}$/);
        expect(JSON.stringify(kept[0]?.payload).length).toBeLessThan(20_000);
        expect(alerts).toContainEqual(expect.objectContaining({ level: 50, alert: 'signals_unnamed' }));
      },
      patience,
    );

    it(
      'keeps what a fault of ours keeps from being handled, in its order, and hands it in until it is handled',
      async () => {
        for (const id of [2, 3]) await engine.issue(id, { now: at });
        let isMended = false;
        const ownerOfAddress = async (address: string) => (address === 'of-2' ? { depositId: 2 } : undefined);
        const faulty = await openTestEngine(database.url, {
          ownerOfAddress,
          applySignals: async (depositId, signals, actor) => {
            if (depositId === 2 && !isMended) throw new Error('a mistake of ours');
            return engine.applySignals(depositId, signals, actor);
          },
        });
        const { takeSignals, pool } = faulty;
        const parts = { pool, logger: silentLogger, takeSignals, ownerOfAddress };
        const consumer = await consumeSignals({ bus: carrier.bus, ...parts });
        const publish = (id: string, more: object): Promise<void> =>
          carrier.bus.publish(SIGNALS_TOPIC, [
            { id, key: 'deposit-2', value: JSON.stringify({ signal_id: id, at, txid: 'tx-2', ...more }) },
          ]);
        const kept = async () => (await pool.query('SELECT FROM engine_signals_failing')).rows;
        await publish('n-1', { deposit_id: 2, type: 'payment.seen', amount: '2' });
        await until('it is kept', async () => (await kept()).length === 1);
        isMended = true;
        await publish('n-2', { address: 'of-2', type: 'payment.confirmed', confirmations: 1 });
        await publish('n-3', { deposit_id: 3, type: 'payment.seen', amount: '2', txid: 'another' });
        await until('another deposit hears of its own', async () => (await typesOf(3)).length === 2);
        expect(await carrier.bus.lag(SIGNALS_TOPIC, 'engine')).toBeLessThanOrEqual(1);
        await until('the one by its address waits behind it', async () => (await kept()).length === 2);
        expect((await listSignals(pool, { failing: true })).items).toMatchObject([{ signal_id: 'n-1' }]);
        const again = startFailingSignals({ pool, logger: silentLogger, takeSignals, pollMs: 20 });
        await until('the payment is confirmed', async () => (await typesOf(2)).length === 3);
        await until('nothing is kept', async () => (await kept()).length === 0);
        expect(await typesOf(2)).toEqual(['QuoteIssued', 'PaymentSeen', 'PaymentConfirmed']);
        await again.stop();
        await consumer.stop();
        await faulty.close();
      },
      patience,
    );
  });
