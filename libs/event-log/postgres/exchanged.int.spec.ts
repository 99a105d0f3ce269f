import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate } from '#platform/migrations';
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { all, anEvent, aStream } from '../contract/harness.ts';
import { LogUnavailable } from '../errors.ts';
import { migrations, openPostgresEventLog } from './index.ts';

let database: PostgresServer;
let client: pg.Client;

beforeEach(async () => {
  database = await startPostgresServer();
  await migrate(database.url, migrations);
  client = new pg.Client(database.url);
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.stop();
});

/** As a dump brings them that is put back in a cluster which counts its transactions anew. */
const raiseIds = (to = '4000000000') =>
  client.query(`ALTER TABLE events DISABLE TRIGGER USER; UPDATE events SET xid = '${to}'`);

const breakConnections = () =>
  client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');

it('a log that is exchanged under a running service for one of another cluster is appended to by nobody', async () => {
  const log = await openPostgresEventLog({ databaseUrl: database.url, patienceMs: 500 });
  const stream = aStream();
  await log.append(stream, 'no_stream', [anEvent()]);
  await raiseIds();
  await breakConnections();
  await expect(log.append(stream, 0, [anEvent()])).rejects.toThrow(LogUnavailable);
  await expect(log.append(aStream(), 'no_stream', [anEvent()])).rejects.toThrow(LogUnavailable);
  await expect(log.head()).rejects.toThrow(/written in another Postgres cluster: its newest transaction is 4000000000/);
  expect((await client.query('SELECT FROM events')).rows).toHaveLength(1);

  // As `pg_resetwal` leaves it.
  await client.query(`UPDATE events SET xid = '3'`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await log.append(stream, 0, [anEvent()]);
  expect(await all(log.readAll())).toHaveLength(2);
  await log.close();
}, 60_000);

it('a log of another cluster is not opened', async () => {
  const log = await openPostgresEventLog({ databaseUrl: database.url });
  await log.append(aStream(), 'no_stream', [anEvent()]);
  await log.close();
  await raiseIds();
  await expect(openPostgresEventLog({ databaseUrl: database.url })).rejects.toThrow(/another Postgres cluster/);
}, 60_000);

it.each([
  ['4000000000', 1],
  ['4294967296', 2],
  ['8600000000', 3],
])(
  'the refusal of a log that came to transaction %s in another cluster names the epoch behind it',
  async (newest, epoch) => {
    const log = await openPostgresEventLog({ databaseUrl: database.url });
    await log.append(aStream(), 'no_stream', [anEvent()]);
    await log.close();
    await raiseIds(newest);
    await expect(openPostgresEventLog({ databaseUrl: database.url })).rejects.toThrow(
      new RegExp(`newest transaction is ${newest}, .*\\(pg_resetwal --epoch=${epoch}\\)`),
    );
  },
  60_000,
);

it('a log that a dump brought, the end of it ahead of this cluster, is not opened', async () => {
  const log = await openPostgresEventLog({ databaseUrl: database.url });
  for (let nth = 0; nth < 3; nth += 1) await log.append(aStream(), 'no_stream', [anEvent()]);
  await log.close();
  await client.query(`
    ALTER TABLE events DISABLE TRIGGER USER;
    CREATE TABLE kept AS SELECT * FROM events; DELETE FROM events;
    INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM kept;
    UPDATE events SET xid = '4000000000' WHERE position = (SELECT max(position) FROM events)`);
  await expect(openPostgresEventLog({ databaseUrl: database.url })).rejects.toThrow(/another Postgres cluster/);
}, 60_000);
