import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { aheadOfLog } from '#audit';
import { accept, confirmed, kyt } from '#deposits/testing';
import type { EventLog } from '#event-log';
import { openEventStoreDbEventLog } from '#event-log/eventstoredb';
import { projections } from '#ground';
import { silentLogger as logger } from '#platform/logging';
import { openProjectionControl, type Projections, readPositions, startProjections, stopWaiting } from '#read-models';
import { depositStreams } from '#read-models/deposits';
import { eventually } from '#read-models/testing';
import { startStandIn } from '../../../test/engines/eventstoredb/standIn.ts';
import { connect, event } from '../../../test/engines/eventstoredb/support/client.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { appendDeposits, appendMore, projectAll } from './testing/history.ts';
import { tables } from './testing/tables.ts';

const database = databasePerTest(...tables);
const undo: (() => unknown)[] = [];

const aDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'cointill-put-back-eventstore-'));
  undo.push(() => rmSync(directory, { recursive: true }));
  return directory;
};

const startOn = async (dataDir: string, port?: number) => {
  const server = await startStandIn({ dataDir, port: port ?? (await freePort()) });
  const client = connect(server.url);
  undo.push(
    () => server.kill(),
    () => client.dispose(),
  );
  const log = database.closing(openEventStoreDbEventLog({ url: server.url, pastMs: 100 }));
  return { server, client, log };
};

afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

/** By what the server writes of itself. */
const outgrow = async ({ client }: Awaited<ReturnType<typeof startOn>>): Promise<void> => {
  for (let count = 0; count < 200; count++) await client.appendToStream('$stats-127.0.0.1:2113', event(count));
};

const aheadOf = async (log: EventLog): Promise<readonly string[]> => {
  const kinds = [depositStreams];
  const relay = { position: undefined, last: undefined };
  const found = await aheadOfLog({ log, pool: database.pool, kinds, relay, signal: AbortSignal.any([]) });
  return found.projections.filter(({ ahead }) => ahead).map(({ name }) => name);
};

const isShown = async (depositId: number): Promise<boolean> =>
  (await database.pool.query('SELECT FROM deposits WHERE id = $1', [depositId])).rows.length === 1;

const takenUp = async (log: EventLog, work: (running: Projections) => Promise<void>) => {
  const running = startProjections({ projections, log, pool: database.pool, logger });
  try {
    await work(running);
  } finally {
    await running.stop();
    await stopWaiting(database.pool);
  }
};

it('What was taken from a log is missed in it once it was put back, however long it has become since', async () => {
  const directory = aDirectory();
  const before = await startOn(directory);
  await appendDeposits(before.log, 1, 5);
  await projectAll(before.log, database.pool);
  const copy = aDirectory();
  cpSync(directory, copy, { recursive: true });
  await appendMore(before.log, 5, kyt('passed'), confirmed(), accept());
  await projectAll(before.log, database.pool);
  expect(await aheadOf(before.log)).toEqual([]);
  before.server.kill();

  const after = await startOn(copy);
  await outgrow(after);
  expect(await aheadOf(after.log)).toContain('deposits');
  await takenUp(after.log, async (running) => {
    const stopped = async () =>
      (
        await database.pool.query<{ reason: string }>(
          "SELECT failure ->> 'reason' AS reason FROM projection_checkpoints WHERE name = 'deposits' AND state = 'stopped'",
        )
      ).rows;
    await eventually(stopped, (rows) => rows.length === 1, 30_000);
    expect((await stopped())[0]?.reason).toMatch(
      /deposit-5, and the log does not hold it at .*: it is another log, or one that was put back/,
    );
    await appendDeposits(after.log, 20, 1);
    await later(1_000);
    expect(await isShown(20)).toBe(false);
    // Rows that are made anew of this log show no more than it holds.
    await running.rebuild('deposits');
    await eventually(
      () => isShown(20),
      (shown) => shown,
      30_000,
    );
    await appendDeposits(after.log, 21, 1);
    await eventually(
      () => isShown(21),
      (shown) => shown,
      30_000,
    );
    expect(await aheadOf(after.log)).not.toContain('deposits');
  });
}, 90_000);

const states = async (): Promise<readonly string[]> =>
  (await database.pool.query<{ state: string }>('SELECT state FROM projection_checkpoints')).rows.map(
    ({ state }) => state,
  );

const untilAll = (awaited: string, withinMs: number): Promise<unknown> =>
  eventually(states, (all) => all.length === projections.length && all.every((each) => each === awaited), withinMs);

/** What was taken twice is in them, until they are made anew. */
const totals = async (): Promise<readonly unknown[]> =>
  (await database.pool.query('SELECT * FROM deposit_totals ORDER BY entity_id, currency, decision')).rows;

const places = async (): Promise<readonly string[]> =>
  (await database.pool.query<{ position: string | null }>('SELECT position FROM projection_checkpoints')).rows.map(
    ({ position }) => position ?? '',
  );

/** A log of which there is a copy from before its last deposits, all of which were projected. */
const copiedMeanwhile = async () => {
  const directory = aDirectory();
  const before = await startOn(directory);
  await appendDeposits(before.log, 1, 5);
  const copy = aDirectory();
  cpSync(directory, copy, { recursive: true });
  await appendDeposits(before.log, 6, 4);
  const end = (await before.log.head()) ?? '';
  // One that takes none of them hears of the log's end a moment later than the others.
  await takenUp(before.log, async () => {
    await eventually(places, (all) => all.length === projections.length && all.every((each) => each >= end), 30_000);
  });
  return { before, directory, copy };
};

it('Projections that stopped beside a log that was put back go on by themselves once their own is there again', async () => {
  const { before, directory, copy } = await copiedMeanwhile();
  const { port } = before.server;
  before.server.kill();

  const wrong = await startOn(copy, port);
  await takenUp(wrong.log, async (running) => {
    await untilAll('stopped', 60_000);
    await outgrow(wrong);
    await later(12_000);
    expect(new Set(await states())).toEqual(new Set(['stopped']));
    wrong.server.kill();
    const own = await startOn(directory, port);
    await untilAll('running', 60_000);
    await appendDeposits(own.log, 20, 3);
    await eventually(
      () => isShown(22),
      (shown) => shown,
      30_000,
    );
    const taken = await totals();
    expect(await running.rebuild('deposits')).toBe('started');
    await eventually(
      () => running.statusOf('deposits'),
      (report) => report?.state === 'live',
      30_000,
    );
    expect(await totals()).toEqual(taken);
  });
}, 180_000);

it.each(['switch', 'hold'] as const)(
  'Rows that are made anew (%s) beside a log that is still shorter than what was shown go on with it',
  async (mode) => {
    const { before, copy } = await copiedMeanwhile();
    before.server.kill();

    const after = await startOn(copy);
    await takenUp(after.log, async (running) => {
      await untilAll('stopped', 60_000);
      const report = () => running.statusOf('deposits');
      expect(await running.rebuild('deposits', { mode })).toBe('started');
      if (mode === 'hold') {
        await eventually(report, (found) => found?.rebuild?.held === true, 30_000);
        expect(await running.switch('deposits')).toBe('switching');
      }
      await eventually(report, (found) => found?.state === 'live', 30_000);
      await appendDeposits(after.log, 20, 1);
      await eventually(
        () => isShown(20),
        (shown) => shown,
        30_000,
      );
      expect(await report()).toMatchObject({ stopped: false, failure: null });
      expect(await isShown(9)).toBe(false);
    });
  },
  180_000,
);

it('A projection that was stopped by a process on another log goes on in one that runs on its own', async () => {
  const { before, copy } = await copiedMeanwhile();

  const wrong = await startOn(copy);
  const mistaken = startProjections({ projections, log: wrong.log, pool: database.pool, logger });
  await untilAll('stopped', 60_000);
  await takenUp(before.log, async () => {
    await untilAll('running', 30_000);
    await appendDeposits(before.log, 20, 1);
    await eventually(
      () => isShown(20),
      (shown) => shown,
      30_000,
    );
  });
  await mistaken.stop();
}, 180_000);

it('A stream that was deleted, and of which the server has let go since, is missed by nobody', async () => {
  const directory = aDirectory();
  const before = await startOn(directory);
  await appendDeposits(before.log, 1, 5);
  const head = (await before.log.head()) ?? '';
  await takenUp(before.log, async () => {
    await outgrow(before);
    // Behind the records that will be gone: the stand-in refuses a place where no record begins any more.
    await eventually(
      () => readPositions(database.pool),
      (all) => all.length === projections.length && all.every(({ position }) => (position ?? '') > head),
      30_000,
    );
  });
  await before.client.deleteStream('deposit-5');
  before.server.kill();
  const journal = join(directory, 'journal.ndjson');
  const lines = readFileSync(journal, 'utf8').split('\n');
  const kept = lines.filter((line) => line === '' || JSON.parse(line).s !== 'deposit-5');
  expect(kept.length).toBeLessThan(lines.length);
  writeFileSync(journal, kept.join('\n'));

  const after = await startOn(directory);
  expect(await aheadOf(after.log)).toEqual([]);
  await takenUp(after.log, async () => {
    await appendDeposits(after.log, 20, 1);
    await eventually(
      () => isShown(20),
      (shown) => shown,
      30_000,
    );
  });
}, 90_000);

it('What stands within a record of a log that was put back is told as stopped, and asked for by nobody in vain', async () => {
  const { log } = await startOn(aDirectory());
  await appendDeposits(log, 1, 3);
  await projectAll(log, database.pool);
  const [first] = await Array.fromAsync(log.readAll({ limit: 1 }));
  const within = (first?.position ?? '').replace(/\d/g, (digit, at: number, all: string) =>
    at === 19 || at === all.length - 1 ? String((Number(digit) + 1) % 10) : digit,
  );
  await database.pool.query('UPDATE projection_checkpoints SET position = $1', [within]);
  const reports = await openProjectionControl({ projections, log, pool: database.pool }).status();
  expect(reports).toHaveLength(projections.length);
  for (const report of reports) expect(report).toMatchObject({ stopped: true, lagEvents: 0, lagMs: 0 });
  expect(reports[0]?.failure?.reason).toMatch(
    /where no record of the log begins: it is another log, or one that was put back/,
  );
}, 90_000);
