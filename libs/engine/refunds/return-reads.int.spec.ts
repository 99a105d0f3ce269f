import { beforeAll, describe, expect, it } from '@jest/globals';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { engineTables, openTestEngine, type TestEngine } from '../testing/open-engine.ts';
import { returnNow } from '../testing/return-now.ts';
import { signal } from '../testing/signals.ts';
import { openReturnReads, type ReturnReads } from './return-reads.ts';
import { returnsProjection } from './returns-projection.ts';

const database = databasePerFile(...engineTables);
let here: TestEngine;
let elsewhere: TestEngine;
let reads: ReturnReads;

beforeAll(async () => {
  [here, elsewhere] = [
    database.closing(await openTestEngine(database.url)),
    database.closing(await openTestEngine(database.url)),
  ];
  reads = openReturnReads({ pool: here.pool, log: here.log });
});

const statesOf = async (filters: Parameters<ReturnReads['page']>[0], from = reads) => {
  const page = await from.page(filters);
  return page.outcome === 'listed' ? page.list.items.map(({ state }) => state) : page.outcome;
};

describe('the list of returns', () => {
  it('is refused while its read model stands still, and is shown as it was to whoever says so', async () => {
    await returnNow(here, 1);
    const impatient = openReturnReads({ pool: here.pool, log: here.log, patienceMs: 50 });
    expect(await statesOf({}, impatient)).toBe('behind');
    expect(await statesOf({ stale: true }, impatient)).toEqual([]);
  });

  it('shows at once what was written, with the projection in another process', async () => {
    elsewhere.project(returnsProjection);
    for (let id = 2; id < 12; id++) {
      const returnId = await returnNow(here, id);
      expect(await statesOf({ deposit_id: id })).toEqual(['queued']);
      const refundTxid = `refund-${id}`;
      await here.applySignals(id, [signal({ type: 'refund.broadcast', returnId, refundTxid })], 'test');
      expect(await statesOf({ deposit_id: id })).toEqual(['broadcast']);
      await here.applySignals(id, [signal({ type: 'refund.dropped', returnId, refundTxid })], 'test');
      expect(await statesOf({ deposit_id: id })).toEqual(['queued']);
      await here.applySignals(id, [signal({ type: 'ofac.completed', status: 'hit', address: 'bad' })], 'test');
      expect(await statesOf({ deposit_id: id })).toEqual(['held']);
    }
    expect(await reads.movedAt()).toEqual(expect.any(Date));
  });

  it('says of a return whose payments are gone what it waits for, until they are confirmed again', async () => {
    const returnId = await returnNow(here, 12);
    const stands = async () => {
      const page = await reads.page({ deposit_id: 12 });
      return page.outcome === 'listed' && page.list.items.map((row) => [row.state, row.unfunded_because]);
    };
    const tell = (fact: Parameters<typeof signal>[0]) => here.applySignals(12, [signal(fact)], 'test');
    const output = { txid: 'tx-12', vout: 0 } as const;
    const confirm = { ...output, confirmations: 1, blockHash: null, blockHeight: null } as const;
    expect(await stands()).toEqual([['queued', null]]);
    await tell({ type: 'payment.reorged', ...output });
    expect(await stands()).toEqual([['queued', 'reorged']]);
    await tell({ type: 'payment.double_spent', ...output, replacedBy: 'thief' });
    expect(await stands()).toEqual([['queued', 'double_spent']]);
    expect(await statesOf({ unfunded: true })).toEqual(['queued']);
    await tell({ type: 'payment.confirmed', ...confirm });
    expect(await stands()).toEqual([['queued', null]]);
    await tell({ type: 'refund.broadcast', returnId, refundTxid: 'refund-12' });
    await tell({ type: 'payment.reorged', ...output });
    await tell({ type: 'refund.dropped', returnId, refundTxid: 'refund-12' });
    expect(await stands()).toEqual([['queued', 'reorged']]);
  });

  it('waits for what comes to no row as well, of whatever stream', async () => {
    const event = {
      id: crypto.randomUUID(),
      type: 'Other',
      data: {},
      metadata: { occurredAt: '2026-03-01T12:00:00Z' },
    };
    await here.log.append('other-1', 'no_stream', [event]);
    expect(await statesOf({ deposit_id: 1 })).toEqual(['queued']);
    // A filtered subscription of EventStoreDB is told only now and then that it has passed over the events of others.
    expect(returnsProjection.filter).toBeUndefined();
  });
});
