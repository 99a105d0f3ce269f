import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus } from '#bus';
import { migratePostgresBus, openPostgresBus } from '#bus/postgres';
import { silentLogger } from '#platform/logging';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { until } from '../testing/until.ts';
import { consumeSignals, SIGNALS_TOPIC } from './consume-signals.ts';

const at = '2026-03-01T12:00:00Z';

let database: FreshDatabase;
let engine: TestEngine;
let bus: Bus;

beforeAll(async () => {
  database = await freshDatabase();
  await migratePostgresBus(database.url);
  engine = await openTestEngine(database.url);
  bus = openPostgresBus({ databaseUrl: database.url, pollMs: 50 });
});

afterAll(async () => {
  await bus.close();
  await engine.close();
  await database.drop();
});

const typesOf = async (id: number) => (await engine.eventsOf(id)).map(({ type }) => type);

describe('the topic engine.signals', () => {
  it('takes single signals and lists, skips what is none, and waits out a store that does not answer', async () => {
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
      bus,
      logger: silentLogger,
      takeSignals: async (signals, actor) => {
        if (failures-- > 0) throw new Error('the store does not answer');
        return engine.takeSignals(signals, actor);
      },
    });
    await bus.publish(
      SIGNALS_TOPIC,
      values.map((value, nth) => ({ id: `message-${nth}`, key: 'deposit-1', value })),
    );
    await until('the payment is confirmed', async () => (await typesOf(1)).length === 3);
    await consumer.stop();
    expect(await typesOf(1)).toEqual(['QuoteIssued', 'PaymentSeen', 'PaymentConfirmed']);
    expect(await bus.lag(SIGNALS_TOPIC, 'engine')).toBe(0);
  });
});
