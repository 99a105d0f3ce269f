import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#platform/migrations';
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { watch } from '../contract/subscribing.ts';
import type { EventLog } from '../port.ts';
import { migrations, openPostgresEventLog } from './index.ts';

/** A cluster of its own: a transaction that stays open holds back the readers of every database beside it. */
let database: PostgresServer;
let log: EventLog;
/** A writer whose transactions end when the test says so. */
let slow: pg.Client;

beforeAll(async () => {
  database = await startPostgresServer();
  await migrate(database.url, migrations);
  log = await openPostgresEventLog({ databaseUrl: database.url });
  slow = new pg.Client(database.url);
  await slow.connect();
});

beforeEach(() => slow.query('ALTER TABLE events DISABLE TRIGGER USER; TRUNCATE events'));

afterAll(async () => {
  await slow.end();
  await log.close();
  await database.stop();
});

const insert = (stream: string, position: string | undefined) =>
  slow.query(
    `INSERT INTO events (stream, revision, position, id, type, data, metadata) OVERRIDING SYSTEM VALUE
     VALUES ($1, 0, coalesce($2, nextval(pg_get_serial_sequence('events', 'position'))), $3, 'PaymentSeen', '{}',
       '{"schema_version":1,"occurred_at":"2026-11-21T10:00:00.000Z","prev_hash":null,"hash":""}')`,
    [stream, position, randomUUID()],
  );

const takePosition = async (): Promise<string> => {
  const { rows } = await slow.query<{ position: string }>(
    "SELECT nextval(pg_get_serial_sequence('events', 'position')) AS position",
  );
  return rows[0]?.position ?? '';
};

describe('The order over all streams of Postgres', () => {
  it('keeps back what was committed behind a transaction that is still under way, and then gives both', async () => {
    const [late, early] = [aStream(), aStream()];
    await slow.query('BEGIN');
    await insert(late, undefined);
    const { position } = await log.append(early, 'no_stream', [anEvent()]);
    expect(await all(log.readAll())).toEqual([]);
    expect(await all(log.readAll({ direction: 'backwards' }))).toEqual([]);
    expect(await log.head()).toBeUndefined();
    expect(await log.newest()).toBe(position);

    const watching = watch(log, {});
    await slow.query('COMMIT');
    await watching.until({ count: 2 });
    await watching.stop();
    expect(watching.seen.map(({ stream }) => stream)).toEqual([late, early]);
    expect(await log.head()).toBe(position);
  });

  it('does not pass over an event that took its number before its transaction began to write', async () => {
    const [late, early] = [aStream(), aStream()];
    await slow.query('BEGIN');
    const number = await takePosition();
    const watching = watch(log, {});
    await log.append(early, 'no_stream', [anEvent()]);
    await watching.until({ count: 1 });

    await insert(late, number);
    await slow.query('COMMIT');
    await watching.until({ count: 2 });
    await watching.stop();
    expect(watching.seen.map(({ stream }) => stream)).toEqual([early, late]);
  });

  it('lets nobody wait for a transaction that was rolled back', async () => {
    await slow.query('BEGIN');
    await insert(aStream(), undefined);
    const watching = watch(log, {});
    const stream = aStream();
    await log.append(stream, 'no_stream', [anEvent()]);
    await slow.query('ROLLBACK');
    await watching.until({ count: 1 });
    await watching.stop();
    expect(watching.seen.map((event) => event.stream)).toEqual([stream]);
  });
});
