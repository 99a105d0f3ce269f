import { beforeAll, describe, expect, it } from '@jest/globals';
import { migrations as depositMigrations, knownEvents, newEvents } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { migrations as legacyMigrations, loadTransaction, transactionStream } from '#legacy-commands';
import { decideTransactionSignal, transactionView } from '#legacy-transactions';
import { minute, signal, started } from '#legacy-transactions/testing';
import { decimalText } from '#money';
import { silentLogger } from '#platform/logging';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { migrations, startProjections, stopWaiting } from '../index.ts';
import { openTransactionReads, type TransactionReads, transactionProjections } from './index.ts';

const database = databasePerFile(logMigrations, depositMigrations, legacyMigrations, migrations);
let log: EventLog;
let reads: TransactionReads;

type Signals = readonly Parameters<typeof decideTransactionSignal>[1][];

const happened = async (id: number, signals: Signals = [], asked: Parameters<typeof started>[0] = {}) => {
  await log.append(transactionStream(id), 'no_stream', newEvents([started(asked, id)], 'test'));
  await database.pool.query('INSERT INTO legacy_contacts (transaction_id, email) VALUES ($1, $2)', [
    id,
    `${id}@a.example`,
  ]);
  for (const each of signals) {
    const { state, revision } = await loadTransaction(log, id);
    const decided = decideTransactionSignal(state, each);
    if (decided.outcome !== 'applied') throw new Error(JSON.stringify(decided));
    await log.append(transactionStream(id), revision, newEvents(decided.events, 'engine'));
  }
};

const paid = [signal('payment.seen'), signal('payment.confirmed')];
const late = [signal('quote.expired'), signal('payment.seen', { txid: 'late', at: minute(20) })];

beforeAll(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url, known: knownEvents }));
  const { pool } = database;
  reads = openTransactionReads({ pool, log, patienceMs: 5_000 });
  await happened(1);
  await happened(2, paid);
  await happened(3, late, {
    affiliateId: 2,
    currency: 'DASH',
    marketRate: decimalText('29.000000000000000000000000007'),
  });
  await happened(4, [signal('payment.seen', { amount: '0.001' }), signal('settlement.included')].slice(0, 1));
});

const shownOf = async (id: number) => {
  const { state } = await loadTransaction(log, id);
  if (state.stage === 'none') throw new Error('none');
  return { ...transactionView(state), email: `${id}@a.example` };
};

describe('a transaction', () => {
  it('is read from its history while the projection stands still, and from its row afterwards, alike', async () => {
    for (const id of [1, 2, 3, 4]) expect((await reads.byId(id))?.view).toEqual(await shownOf(id));
    const { pool } = database;
    const running = startProjections({ projections: transactionProjections, log, pool, logger: silentLogger });
    database.closing({
      close: async () => {
        await Promise.all([running.stop(), stopWaiting(pool)]);
      },
    });
    const page = await reads.page({});
    expect(page.outcome).toBe('listed');
    expect((await pool.query('SELECT FROM legacy_transactions')).rowCount).toBe(4);
    for (const id of [1, 2, 3, 4]) expect((await reads.byId(id))?.view).toEqual(await shownOf(id));
    expect(await reads.byId(5)).toBeUndefined();
    expect((await reads.byId(3))?.affiliateId).toBe(2);
  });
});

describe("an operator's pages", () => {
  const ids = async (filters: Parameters<TransactionReads['page']>[0]) => {
    const page = await reads.page(filters);
    return page.outcome === 'listed' ? page.list.items.map(({ transaction_id }) => transaction_id) : [];
  };

  it('are newest first, by keyset, with any of the filters', async () => {
    expect(await ids({})).toEqual([4, 3, 2, 1]);
    expect(await ids({ limit: 2 })).toEqual([4, 3]);
    expect(await ids({ limit: 2, cursor: 3 })).toEqual([2, 1]);
    expect(await ids({ affiliateId: 2 })).toEqual([3]);
    expect(await ids({ status: 'Succeeded' })).toEqual([2]);
    expect(await ids({ currency: 'DASH' })).toEqual([3]);
    expect(await ids({ flagged: true })).toEqual([3]);
    expect(await ids({ flagged: false, affiliateId: 1 })).toEqual([4, 2, 1]);
  });

  it('show what was received, to the last digit of the rate, and what has to be looked at', async () => {
    const page = await reads.page({ affiliateId: 2 });
    expect(page).toMatchObject({
      outcome: 'listed',
      list: {
        items: [
          {
            email: '3@a.example',
            market_rate: '29.000000000000000000000000007',
            confirmed_crypto: 0.002,
            flags: ['late_payment'],
            times_out_at: minute(15),
          },
        ],
      },
    });
  });
});
