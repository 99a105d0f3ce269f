import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openPostgresEventLog } from '#event-log/postgres';
import { migrations as partners } from '#partners';
import { readConfiguration } from '#platform/configuration';
import { migrate } from '#platform/migrations';
import { databasePerTest } from '../../test/support/with-database.ts';
import { keepHistory } from './history.ts';
import { migrateAll } from './migrations.ts';
import { asRoles, type DatabaseUrls } from './roles.ts';
import { StartError } from './start-error.ts';

const database = databasePerTest();

const anEvent = () => ({
  ...{ id: randomUUID(), type: 'PaymentSeen', data: {} },
  metadata: { occurredAt: '2026-11-21T10:00:00.000Z' },
});
const configuration = readConfiguration({});

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const ask = (url: string, text: string): Promise<unknown[]> =>
  withClient(url, async (client) => (await client.query(text)).rows);

/** As a start does it on a Postgres of its own. */
const start = async (): Promise<DatabaseUrls> => {
  const urls = await asRoles(database.url);
  expect(await migrateAll(urls, configuration)).toEqual([]);
  return urls;
};

const ENTRY = `INSERT INTO audit_trail (actor, action, subject, subject_id) VALUES ('a', 'b', 'c', '1')`;
const EVENT = `INSERT INTO events (stream, revision, id, type, data, metadata)
  VALUES ('deposit-1', 0, gen_random_uuid(), 'Created', '{}', '{}')`;

const owners = (role: string) => `
  SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')
    AND relowner = '${role}'::regrole ORDER BY 1`;

const names = async (url: string, role: string): Promise<string[]> =>
  (await ask(url, owners(role))).map((row) => (row as { name: string }).name);

/** With triggers out of the way, what is left are the rights of the role. */
const withoutTriggers = ['events', 'audit_trail', 'audit_seals']
  .map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER;`)
  .join('');

const expectOutOfReach = async (service: string): Promise<void> => {
  for (const statement of [
    ...['UPDATE events SET type = type', 'DELETE FROM events', 'TRUNCATE events', 'DROP TABLE events'],
    ...['UPDATE audit_seals SET seal = seal', 'DELETE FROM audit_seals', 'TRUNCATE audit_seals'],
    ...['UPDATE audit_trail SET actor = actor', 'DELETE FROM audit_trail', 'TRUNCATE audit_trail'],
    ...['ALTER TABLE events DISABLE TRIGGER USER', 'DROP TRIGGER chained ON audit_trail'],
    ...['DELETE FROM migrations_event_log', 'DROP SCHEMA public CASCADE', 'SELECT FROM events FOR UPDATE'],
    ...['SET ROLE cointill_owner', 'SET session_replication_role = replica'],
    'CREATE OR REPLACE FUNCTION chain_audit_trail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
  ])
    expect([statement, await ask(service, statement).catch(String)]).toEqual([
      statement,
      expect.stringMatching(/permission denied|must be owner/),
    ]);
};

describe('history', () => {
  it('is out of reach for the role of the service', async () => {
    const { service } = await start();
    await ask(database.url, withoutTriggers);
    for (const insert of [EVENT, ENTRY]) await ask(service, insert);
    await expectOutOfReach(service);
    expect(await ask(service, 'SELECT (SELECT count(*) FROM events) AS events, count(*) FROM audit_trail')).toEqual([
      { events: '1', count: '1' },
    ]);
  });

  it.each([
    ['the transaction of an event', 'events', 'xid', `'1000000000'`],
    ['the place of an event', 'events', 'position', '1000000000'],
    ['when an event was recorded', 'events', 'recorded_at', `'2020-01-01'`],
    ['the number of an entry', 'audit_trail', 'id', '1000000000'],
    ['when an entry was made', 'audit_trail', 'at', `'2020-01-01'`],
  ])('has nobody but the database choose %s', async (_, table, column, value) => {
    const { service, migration = '' } = await start();
    const chosen = (table === 'events' ? EVENT : ENTRY)
      .replace(/ \((stream|actor)/, ` (${column}, $1`)
      .replace(/\)\s+VALUES \(/, `) OVERRIDING SYSTEM VALUE VALUES (${value}, `);
    await expect(ask(service, chosen)).rejects.toThrow(`permission denied for table ${table}`);
    // Whoever puts back a dump has to.
    await ask(migration, chosen);
    expect(await ask(migration, `SELECT FROM ${table}`)).toHaveLength(1);
  });

  it('is taken from a role that chose its places in the release before', async () => {
    const urls = await start();
    await ask(urls.migration ?? '', 'GRANT INSERT ON events, audit_trail, migrations_event_log TO cointill');
    expect(await migrateAll({ ...urls, migration: undefined }, configuration)).toEqual(['audit_trail', 'events']);
    expect(await migrateAll(urls, configuration)).toEqual([]);
    const log = database.closing(await openPostgresEventLog({ databaseUrl: urls.service }));
    const appends = [1, 2, 3, 4, 5, 6].map((id) => log.append(`deposit-${id}`, 'no_stream', [anEvent(), anEvent()]));
    expect(await Promise.all(appends)).toHaveLength(6);
    await Promise.all([1, 2, 3, 4, 5, 6].map((id) => log.append(`deposit-${id}`, 1, [anEvent()])));
    for (const chosen of [
      "INSERT INTO migrations_event_log (name) VALUES ('x')",
      "INSERT INTO events (xid) VALUES ('1')",
    ])
      expect(await ask(urls.service, chosen).catch(String)).toMatch(/permission denied/);
  });

  it('is not to be had by functions that wait for whoever may change it', async () => {
    const { service } = await start();
    for (const fits of ['has_table_privilege(text, oid, text)', 'has_any_column_privilege(text, oid, text)'])
      await ask(
        service,
        `CREATE FUNCTION ${fits} RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
           GRANT ALL ON events TO cointill; RETURN true; END $$`,
      );
    const urls = await asRoles(database.url);
    await expect(migrateAll(urls, configuration)).rejects.toThrow('public.has_table_privilege(text,oid,text)');
    await keepHistory(urls, ['events', 'audit_trail']);
    await expect(ask(urls.service, 'DELETE FROM events')).rejects.toThrow('permission denied for table events');
  });

  it('is not to be had by a function in no schema of ours, which a table of the service calls', async () => {
    const urls = await start();
    await withClient(urls.service, async (trap) => {
      await trap.query(`CREATE FUNCTION pg_temp.trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        GRANT ALL ON events TO cointill; RETURN NULL; END $$`);
      await trap.query('CREATE TRIGGER trap BEFORE UPDATE ON last_pins EXECUTE FUNCTION pg_temp.trap()');
      await expect(migrateAll(urls, configuration)).rejects.toThrow(/pg_temp_\d+\.trap\(\)/);
    });
  });

  it('goes on behind its last entry, whatever table of its name somebody has for himself', async () => {
    const { service } = await start();
    await withClient(service, async (one) => {
      await one.query('CREATE TEMP TABLE audit_trail (LIKE public.audit_trail)');
      await one.query(`INSERT INTO pg_temp.audit_trail (id, actor, action, subject, subject_id, at, place)
        VALUES (1, 'a', 'b', 'c', '1', now(), 9223372036854775806)`);
      await one.query(ENTRY.replace('audit_trail', 'public.audit_trail'));
    });
    await ask(service, ENTRY);
    expect(await ask(service, 'SELECT place FROM audit_trail ORDER BY id')).toEqual([{ place: '1' }, { place: '2' }]);
  });

  it('is taken from the role that made it in the release before, which goes on beside', async () => {
    const { service: before } = await start();
    await ask(database.url, `ALTER SCHEMA public OWNER TO cointill; REASSIGN OWNED BY cointill_owner TO cointill`);
    for (const insert of [EVENT, ENTRY]) await ask(before, insert);
    expect(await migrateAll({ service: before, migration: undefined }, configuration)).toEqual([
      'audit_trail',
      'audit_seals',
      'events',
    ]);
    const log = database.closing(await openPostgresEventLog({ databaseUrl: before }));
    const reading = new pg.Client({ connectionString: before });
    await reading.connect();
    await reading.query('SELECT count(*) FROM events');

    const urls = await asRoles(database.url);
    expect(await Promise.all([1, 2, 3].map(() => migrateAll(urls, configuration)))).toEqual([[], [], []]);
    expect(await names(urls.service, 'cointill_owner')).toEqual(
      expect.arrayContaining(['audit_seals', 'audit_trail', 'events', 'migrations_event_log']),
    );
    expect(await names(urls.service, 'cointill')).toEqual(expect.arrayContaining(['deposits', 'affiliates']));
    await ask(database.url, withoutTriggers);
    await expectOutOfReach(urls.service);
    // Whoever was connected with the role of before goes on.
    expect((await reading.query('SELECT count(*) FROM events')).rows).toEqual([{ count: '1' }]);
    await reading.query(ENTRY);
    await reading.end();
    expect(await log.lastRevision('deposit-1')).toBe(0);
    expect(await migrateAll({ ...urls, migration: undefined }, configuration)).toEqual([]);
  });
});

describe('the role of the service', () => {
  it('is no superuser, and owns what changes, whoever had made it', async () => {
    const superuser = { service: database.url, migration: undefined };
    expect(await migrateAll(superuser, configuration)).toEqual(['audit_trail', 'audit_seals', 'events']);
    await ask(database.url, "INSERT INTO affiliates (name) VALUES ('Northern')");
    const first = await start();
    expect(
      await ask(
        first.service,
        'SELECT current_user AS me, rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user',
      ),
    ).toEqual([{ me: 'cointill', rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
    expect(await ask(first.service, 'SELECT name FROM affiliates')).toEqual([{ name: 'Northern' }]);
    for (const url of [first.service, first.migration ?? ''])
      await expect(ask(url, "SELECT pg_read_file('/etc/passwd')")).rejects.toThrow(/permission denied/);
    const kept = await names(first.service, 'cointill_owner');
    expect(kept.filter((name) => !name.startsWith('migrations_'))).toEqual([
      'audit_seals',
      'audit_trail',
      'audit_trail_id_seq',
      'events',
      'events_position_seq',
    ]);
    // At the next start, with another password.
    await start();
    await expect(ask(first.service, 'SELECT')).rejects.toThrow(/password authentication failed/);
  });
});

describe('a server with roles of its own', () => {
  const role = () => `role_${randomBytes(6).toString('hex')}`;
  let [service, owner] = ['', ''];
  const urlOf = (name: string): string => Object.assign(new URL(database.url), { username: name, password: 'pw' }).href;

  beforeEach(async () => {
    [service, owner] = [role(), role()];
    await ask(
      database.url,
      `CREATE ROLE ${service} LOGIN PASSWORD 'pw'; CREATE ROLE ${owner} LOGIN PASSWORD 'pw';
       ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${service}`,
    );
    database.atEnd(() => ask(database.url, `DROP OWNED BY ${service}, ${owner}`));
  });

  it('keeps history from the service once it is told of the migration role, also where the service owned all', async () => {
    await ask(database.url, `GRANT ${service} TO ${owner}`);
    expect(await migrateAll({ service: urlOf(service), migration: undefined }, configuration)).toHaveLength(3);
    const urls = { service: urlOf(service), migration: urlOf(owner) };
    expect(await migrateAll(urls, configuration)).toEqual([]);
    await ask(urls.service, EVENT);
    await expect(ask(urls.service, 'DROP TABLE events')).rejects.toThrow('must be owner of table events');
    await expect(ask(urls.service, 'DELETE FROM events')).rejects.toThrow('permission denied for table events');
  });

  it('says what the migration role lacks', async () => {
    await ask(database.url, `GRANT ALL ON SCHEMA public TO ${owner}`);
    await migrateAll({ service: urlOf(service), migration: undefined }, configuration);
    const urls = { service: urlOf(service), migration: urlOf(owner) };
    await ask(urls.service, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${owner}`);
    await expect(migrateAll(urls, configuration)).rejects.toThrow(`GRANT ${service} TO ${owner}`);
    await expect(migrateAll({ ...urls, migration: urls.service }, configuration)).rejects.toThrow('both name the role');
  });

  it('tells whoever may make no tables in a new database what its role lacks', async () => {
    const urls = { service: urlOf(owner), migration: undefined };
    await expect(migrateAll(urls, configuration)).rejects.toThrow('GRANT CREATE ON SCHEMA public');
  });

  it('tells a release that may not migrate who has to', async () => {
    await ask(database.url, `GRANT ${service} TO ${owner}`);
    const urls = { service: urlOf(service), migration: urlOf(owner) };
    await migrateAll(urls, configuration);
    await ask(urls.migration, "DELETE FROM migrations_event_log WHERE name LIKE '0002%'");
    await expect(migrateAll({ ...urls, migration: undefined }, configuration)).rejects.toThrow(
      'MIGRATION_DATABASE_URL',
    );
  });

  it('tells whoever starts while the first tables are being made who makes them', async () => {
    await ask(database.url, `GRANT ${service} TO ${owner}`);
    const urls = { service: urlOf(service), migration: urlOf(owner) };
    await migrate(urls.migration, partners);
    const early = await migrateAll({ ...urls, migration: undefined }, configuration).catch((error: unknown) => error);
    expect(early).toBeInstanceOf(StartError);
    expect(String(early)).toMatch(/^Error: the migrations of partners are still to be done: .*MIGRATION_DATABASE_URL/);
    expect(await migrateAll(urls, configuration)).toEqual([]);
    expect(await migrateAll({ ...urls, migration: undefined }, configuration)).toEqual([]);
  });
});
