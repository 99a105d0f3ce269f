import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus } from '#bus';
import { silentLogger } from '#platform/logging';
import type { Migrations } from '#platform/migrations';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { consumeSignals, SIGNALS_TOPIC } from '../from-bus/consume-signals.ts';
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
  });
