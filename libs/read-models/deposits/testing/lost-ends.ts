import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { depositStream } from '#deposit-commands';
import { accept, confirmed, history, issue, kyt, ofac, seen } from '#deposits/testing';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { silentLogger as logger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import type { databasePerTest } from '../../../../test/support/with-database.ts';
import { acceptEnds, lookAtLostEnds } from '../../damage/accept-ends.ts';
import { rememberedPlaces } from '../../remembered.ts';
import { type Projections, startProjections } from '../../running/start-projections.ts';
import { eventually } from '../../testing/eventually.ts';
import { stopWaiting } from '../../waiting/wait-for-position.ts';
import { depositStreams, readModelProjections } from '../index.ts';

const kinds = [depositStreams];

/** The life of a deposit up to its acceptance: revisions 0 to 5. */
export const life = (depositId: number) =>
  history(
    ...[issue({ depositId, transactionId: depositId, entityId: 1 }), seen(), kyt('passed'), ofac('clear')],
    ...[confirmed(), accept()],
  ).map(({ type, data }) => ({
    id: randomUUID(),
    type,
    data: JSON.parse(JSON.stringify(data)),
    metadata: { occurredAt: '2026-03-01T12:00:00.000Z' },
  }));

/** A log whose streams are cut short, the rows of its deposits, and what is remembered of both. */
export const openLostEnds = (database: ReturnType<typeof databasePerTest>) => {
  let log: EventLog;
  let running: Projections;

  /** As another process does, which has seen nothing. */
  const openLog = async (): Promise<EventLog> =>
    database.closing(
      await openPostgresEventLog({
        ...{ databaseUrl: database.url, pastMs: 100 },
        remembered: rememberedPlaces(database.pool, kinds),
      }),
    );

  const start = (): void => {
    const pool = createPool({ url: database.url, applicationName: 'lost ends', logger });
    const started = startProjections({ projections: readModelProjections, log, pool, logger });
    running = started;
    database.atEnd(async () => {
      await started.stop();
      await stopWaiting(pool);
      await pool.end();
    });
  };

  const write = async (depositId: number, from = 0, to = 6, at = log) =>
    (await at.append(depositStream(depositId), from === 0 ? 'no_stream' : from - 1, life(depositId).slice(from, to)))
      .position;

  const tamper = (statement: string) =>
    database.pool.query(
      `ALTER TABLE events DISABLE TRIGGER USER; ${statement}; ALTER TABLE events ENABLE TRIGGER USER`,
    );

  const cut = (depositId: number, behind: number) =>
    tamper(`DELETE FROM events WHERE stream = 'deposit-${depositId}' AND revision > ${behind}`);

  const putAside = (depositId: number, behind: number) =>
    rowsOf(
      `CREATE TABLE put_aside AS SELECT * FROM events WHERE stream = 'deposit-${depositId}' AND revision > ${behind}`,
    );
  const putBack = () => tamper('INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM put_aside');

  /** Somebody who knows nothing of it goes on with what is left. */
  const writeAnew = async (depositId: number, from: number): Promise<void> => {
    const stranger = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
    await until(await write(depositId, from, 6, stranger));
  };

  const read = async (at: EventLog, depositId: number): Promise<number> =>
    (await Array.fromAsync(at.read(depositStream(depositId)))).length;

  const rowsOf = async (text: string) => (await database.pool.query(text)).rows;
  const shown = () => rowsOf('SELECT id::int, revision::int, decision FROM deposits ORDER BY id');
  const named = async () => (await running.statusOf('deposits'))?.damage.map(({ stream }) => stream) ?? [];
  const until = async (position: Awaited<ReturnType<typeof write>>): Promise<void> => {
    await eventually(
      () => running.statusOf('deposits'),
      (report) => (report?.position ?? '') >= position,
    );
  };
  const rebuild = async (): Promise<void> => {
    expect(await running.rebuild('deposits')).toBe('started');
    await eventually(
      async () => (await rowsOf('SELECT FROM projection_rebuilds')).length,
      (left) => left === 0,
    );
  };

  const look = (stream?: string) => lookAtLostEnds({ log, pool: database.pool, kinds }, stream);

  const acceptAll = async (stream?: string) =>
    acceptEnds(database.pool, await look(stream), 'the log was put back', async () => undefined);

  /** Of the first two the ends are gone, of the third all is; the rows are those of what is left. */
  const lost = async (): Promise<EventLog> => {
    for (const each of [1, 2, 3]) await write(each);
    start();
    await until(await write(4));
    for (const [depositId, behind] of [
      [1, 2],
      [2, 4],
      [3, -1],
    ] as const)
      await cut(depositId, behind);
    await rebuild();
    expect(await named()).toEqual(['deposit-1', 'deposit-2', 'deposit-3']);
    return log;
  };

  return {
    begin: async (): Promise<EventLog> => {
      log = await openLog();
      return log;
    },
    ...{ openLog, start, write, writeAnew, tamper, cut, putAside, putBack, read, rowsOf, shown, named, until, rebuild },
    ...{ look, acceptAll, lost },
  };
};
