import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrations as addresses } from '#addresses';
import { aheadOfLog, type Finding, verify } from '#audit';
import { migrations as counters, openCounters } from '#counters';
import { migrations as commands } from '#deposit-commands';
import type { EventLog } from '#event-log';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { projections } from '#ground';
import { silentLogger as logger } from '#platform/logging';
import { readPositions, startProjections, stopWaiting } from '#read-models';
import { depositStreams } from '#read-models/deposits';
import { eventually } from '#read-models/testing';
import { type StandIn, startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { connect, event } from '../../../test/engines/eventstoredb/support/client.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits, projectAll } from './testing/history.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables, addresses, commands, counters);
const directories: string[] = [];
let standIns: StandIn[] = [];
let client: ReturnType<typeof connect>;
let log: EventLog;

const openLog = async (): Promise<EventLog> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cointill-cut-eventstore-'));
  const standIn = await startStandIn({ dataDir, port: await freePort() });
  directories.push(dataDir);
  standIns.push(standIn);
  client = connect(standIn.url);
  return database.closing(openEventStoreDbEventLog({ url: standIn.url, pastMs: 100 }));
};

beforeEach(async () => {
  log = await openLog();
}, 60_000);

afterEach(async () => {
  await client.dispose();
  for (const standIn of standIns) standIn.kill();
  standIns = [];
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

describe('Records of the server behind the last event', () => {
  const tellsOfItself = async () => {
    for (let count = 0; count < 100; count++) await client.appendToStream('$stats-127.0.0.1:2113', event(count));
    await client.setStreamMetadata('order-17', { maxCount: 5 });
  };

  it.each([
    ['of a log without events', 0],
    ['of one with some', 2],
  ])(
    'keep no projection %s from being taken up again',
    async (_, deposits) => {
      await appendDeposits(log, 1, deposits);
      const positions = async () => {
        const places = await readPositions(database.pool);
        return places.map(({ position }) => position ?? '');
      };
      const first = startProjections({ projections, log, pool: database.pool, logger });
      await tellsOfItself();
      const head = (await log.head()) ?? '';
      await eventually(
        positions,
        (all) => all.length === projections.length && all.every((each) => each > head),
        30_000,
      );
      await first.stop();
      const again = startProjections({ projections, log, pool: database.pool, logger });
      try {
        // For three seconds a log that ends before them may be that of a node that lags.
        await later(4_000);
        await appendDeposits(log, 20, 1);
        const shown = async () => (await database.pool.query('SELECT FROM deposits WHERE id = 20')).rows.length;
        await eventually(shown, (rows) => rows === 1, 30_000);
        const ahead = await aheadOfLog({
          relay: { position: undefined, last: undefined },
          log,
          pool: database.pool,
          kinds: [depositStreams],
          signal: AbortSignal.any([]),
        });
        expect(ahead.projections.filter((each) => each.ahead)).toEqual([]);
      } finally {
        await again.stop();
        await stopWaiting(database.pool);
      }
    },
    90_000,
  );
});

it('A verification names each stream that was taken away, and goes on with the others', async () => {
  await appendDeposits(log, 1, 6);
  await projectAll(log, database.pool);
  await client.tombstoneStream('deposit-2');
  await client.deleteStream('deposit-4');
  const findings: Finding[] = [];
  await verify({ log, pool: database.pool, projections, onFinding: (finding) => findings.push(finding) });
  expect(findings.filter(({ by }) => by === 'chain')).toEqual(
    ['deposit-2', 'deposit-4'].map((stream) => ({
      ...{ by: 'chain', stream, revision: 0 },
      problem: expect.stringMatching(/^its stream was deleted or cut short/),
    })),
  );
  expect(new Set(findings.map(({ stream }) => stream ?? 'totals'))).toEqual(
    new Set(['deposit-2', 'deposit-4', 'totals']),
  );
}, 60_000);

describe('The stream of what was counted last', () => {
  const firstLook = async (at = log): Promise<Error | undefined> => {
    const counting = openCounters({ pool: database.pool, log: at, logger, isOfTheLog: false, everyMs: 50 });
    const found = await counting.firstLook;
    await counting.stop();
    return found;
  };

  it.each([
    ['cut short', () => client.setStreamMetadata('deposit-2', { maxCount: 1 })],
    ['deleted', () => client.deleteStream('deposit-2')],
    ['deleted for good', () => client.tombstoneStream('deposit-2')],
    [
      'deleted for good on a server that is scavenged then',
      async () => {
        await client.tombstoneStream('deposit-2');
        for (const standIn of standIns) standIn.scavenge();
      },
    ],
  ])(
    'may be %s, and numbers are given',
    async (_, take) => {
      await appendDeposits(log, 1, 2);
      expect(await firstLook()).toBeUndefined();
      await take();
      expect(await firstLook()).toBeUndefined();
    },
    60_000,
  );

  it('is missed in another log, however long that is', async () => {
    await appendDeposits(log, 1, 2);
    expect(await firstLook()).toBeUndefined();
    const other = await openLog();
    await appendDeposits(other, 1, 9);
    expect((await firstLook(other))?.message).toMatch(/wrong server/);
  }, 60_000);
});
