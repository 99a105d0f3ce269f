import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadTransaction, transactionStream } from '#legacy-commands';
import { signal } from '#legacy-transactions/testing';
import { decimalText } from '#money';
import { silentLogger } from '#platform/logging';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine, type TestEngine, until } from '../testing/index.ts';
import { startTransactionTimers } from './start-transaction-timers.ts';
import { transactionTimersProjection } from './transaction-timers-projection.ts';

const database = databasePerFile(...engineTables);
let engines: readonly [TestEngine, TestEngine];

beforeAll(async () => {
  const open = async () => database.closing(await openTestEngine(database.url));
  engines = [await open(), await open()];
  engines[0].project(transactionTimersProjection);
});

const newTransaction = async (): Promise<number> => {
  const created = await engines[0].legacy.create({
    ...{ affiliateId: 1, currency: 'DASH', label: 'order', email: 'payer@example.com', actor: 'access token 1' },
    usdAmount: decimalText('100'),
  });
  if (created.outcome !== 'applied') throw new Error('none was made');
  return created.transaction.terms.transactionId;
};

const statusOf = async (id: number) => {
  const { state } = await loadTransaction(engines[0].log, id);
  return state.stage === 'none' ? undefined : state.standing.status;
};

/** Two instances at a time of their own. */
const startAt = (minutes: number) => {
  const now = () => new Date(Date.now() + minutes * 60_000);
  const running = engines.map(({ pool, log, legacy }) =>
    startTransactionTimers({
      ...{ pool, log, logger: silentLogger, now, everyMs: 5 },
      applyToTransaction: legacy.applySignals,
    }),
  );
  return async () => {
    await Promise.all(running.map(({ stop }) => stop()));
  };
};

const waitingRows = async () =>
  (await engines[0].pool.query('SELECT FROM transaction_timers WHERE waiting')).rowCount ?? 0;

describe('15 minutes of waiting', () => {
  it('time a transaction out, once, whichever of two instances rings', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, newTransaction));
    await until('all wait', async () => (await waitingRows()) === 20);
    const early = startAt(14.9);
    await early();
    expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'Started'));
    const stop = startAt(15.1);
    await until('none waits', async () => (await waitingRows()) === 0);
    await stop();
    for (const id of ids) {
      const events = await Array.fromAsync(engines[0].log.read(transactionStream(id)));
      expect(events.map(({ type }) => type)).toEqual(['LegacyTransactionStarted', 'LegacyTransactionTimedOut']);
      const dueAt = Date.parse(events[0]?.metadata.occurredAt ?? '') + 15 * 60_000;
      expect(Date.parse(events[1]?.metadata.occurredAt ?? '')).toBe(dueAt);
    }
  });

  it('are over when money was seen, and go on when it is gone again', async () => {
    const id = await newTransaction();
    const at = new Date().toISOString();
    const apply = (type: 'payment.seen' | 'payment.dropped') =>
      engines[0].legacy.applySignals(id, [signal(type, { at })], 'engine');
    await apply('payment.seen');
    const stop = startAt(16);
    await until('none waits', async () => (await waitingRows()) === 0);
    expect(await statusOf(id)).toBe('Pending');
    await apply('payment.dropped');
    await until('it timed out after all', async () => (await statusOf(id)) === 'Timedout');
    await stop();
  });
});
