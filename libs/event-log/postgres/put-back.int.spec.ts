import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#platform/migrations';
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { anEvent } from '../contract/harness.ts';
import { BrokenHistory } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { migrations, openPostgresEventLog } from './index.ts';

jest.setTimeout(60_000);

const [GROWN, CHANGED, BORN] = ['deposit-1', 'deposit-2', 'fastlane-3'];

let server: PostgresServer;
let logs: EventLog[];

const open = async (): Promise<EventLog> => {
  const log = await openPostgresEventLog({ databaseUrl: server.url, pastMs: 200 });
  logs.push(log);
  return log;
};

const asked = async (statement: string): Promise<void> => {
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query(statement);
  await client.end();
};

beforeEach(async () => {
  logs = [];
  server = await startPostgresServer();
  await migrate(server.url, migrations);
});

afterEach(async () => {
  for (const log of logs) await log.close();
  await server.stop();
});

const whole = async (log: EventLog, stream: string): Promise<number> =>
  (await Array.fromAsync(log.read(stream))).length;

/** What one process wrote and another has read, and then went with the database. */
const lostSince = async () => {
  const [writing, reading] = [await open(), await open()];
  for (const stream of [GROWN, CHANGED]) await writing.append(stream, 'no_stream', [anEvent(), anEvent()]);
  await server.keep();
  await writing.append(GROWN, 1, [anEvent(), anEvent()]);
  await writing.append(CHANGED, 1, [anEvent()]);
  await writing.append(BORN, 'no_stream', [anEvent()]);
  for (const stream of [GROWN, CHANGED, BORN]) await whole(reading, stream);
  return [writing, reading];
};

const takenFrom = (stream: string, revision: number): string =>
  `ALTER TABLE events DISABLE TRIGGER USER; DELETE FROM events WHERE stream = '${stream}' AND revision = ${revision}`;

/** So many that no number of a transaction shows any more how far it had come. */
const goneOn = () => asked('DO $$ BEGIN FOR n IN 1..200 LOOP PERFORM txid_current(); COMMIT; END LOOP; END $$');

describe('a database that lacks the last moments, under processes that run on', () => {
  it.each(['files', 'standby'] as const)('is what its streams are, to each of them: %s', async (as) => {
    const processes = await lostSince();
    await server.putBack(as);
    if (as === 'standby') {
      // Connections that are made now are not broken when it takes over.
      for (const log of processes) expect(await log.lastRevision('deposit-9')).toBeUndefined();
      await server.promote();
      await goneOn();
    }
    await (await open()).append(CHANGED, 1, [anEvent()]);
    for (const log of processes) {
      expect(await log.lastRevision(GROWN)).toBe(1);
      expect(await whole(log, GROWN)).toBe(2);
      expect(await whole(log, CHANGED)).toBe(3);
      expect(await log.lastRevision(BORN)).toBeUndefined();
    }
    const [writing] = processes;
    await writing?.append(GROWN, 1, [anEvent()]);
    await writing?.append(BORN, 'no_stream', [anEvent()]);
    expect(await whole(await open(), GROWN)).toBe(3);
  });

  it('is no excuse for an event that is taken away in it afterwards', async () => {
    const [log] = await lostSince();
    await server.putBack('files');
    expect(await whole(log as EventLog, GROWN)).toBe(2);
    await asked(takenFrom(GROWN, 1));
    await expect(whole(log as EventLog, GROWN)).rejects.toThrow(BrokenHistory);
  });

  it('is not one that was killed and came back, in which an event was taken away', async () => {
    const [log] = await lostSince();
    await asked(takenFrom(GROWN, 3));
    await server.crash();
    await expect(whole(log as EventLog, GROWN)).rejects.toThrow(BrokenHistory);
  });
});
