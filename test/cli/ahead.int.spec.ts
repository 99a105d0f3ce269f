import { beforeEach, expect, it } from '@jest/globals';
import { aheadOfLog } from '#audit';
import { migrations as ofEngine } from '#engine';
import type { EventLog } from '#event-log';
import { migrations as ofLog, openPostgresEventLog } from '#event-log/postgres';
import { streamRows } from '#ground';
import { migrations as ofReadModels } from '#read-models';
import { migrations as ofReceipts } from '#receipts';
import { fill } from '../../bench/audit/fill.ts';
import { databasePerTest } from '../support/with-database.ts';

const database = databasePerTest(ofLog, ofReadModels, ofReceipts, ofEngine);
let log: EventLog;

beforeEach(async () => {
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  await fill({ url: database.url, log, pool: database.pool }, 3);
});

const look = () =>
  aheadOfLog({
    relay: { position: undefined, last: undefined },
    log,
    pool: database.pool,
    kinds: streamRows,
    signal: new AbortController().signal,
  });

it('a database that is as far as its log is not ahead', async () => {
  expect(await look()).toMatchObject({ rows: 3, streams_ahead: 0, events_missing: 0, streams: [] });
});

it('a database whose log was put back shows what the log lacks, and where its read models stand', async () => {
  await database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER;
    DELETE FROM events WHERE stream = 'deposit-2' OR (stream = 'deposit-1' AND revision > 4);
    DELETE FROM events WHERE stream = 'deposit-3' AND revision > 5`);
  log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  const { streams, projections, streams_ahead: count, events_missing: missing } = await look();
  expect(streams.map(({ stream, ends_at: end }) => [stream, end])).toEqual([
    ...[['deposit-3', 5] as const, ['deposit-2', -1] as const, ['deposit-1', 4] as const],
  ]);
  expect([count, missing]).toEqual([3, 4 + 10 + 5]);
  expect(projections.every(({ ahead }) => ahead)).toBe(true);
});
