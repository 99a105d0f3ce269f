import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { setReadOnly } from '../../../test/support/database.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { createHealth } from '../health/index.ts';
import { silentLogger } from '../logging/index.ts';
import { checkWritable, createPool, inTransaction, isAway, isRefused, isUndone, openConnection } from './index.ts';

const database = databasePerFile();
let proxy: TcpProxy;
/** Of the database, through the proxy. */
let url: string;

beforeAll(async () => {
  const { hostname, port } = new URL(database.url);
  proxy = await startTcpProxy(() => ({ host: hostname, port: Number(port) }));
  url = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(proxy.port) }).href;
  database.atEnd(proxy.close);
});

afterEach(() => proxy.cut());

describe('a question to a server that has gone silent', () => {
  it('is given up some time after the server would have cancelled it, and its connection is not used again', async () => {
    const options = { applicationName: 'test', logger: silentLogger, statementTimeoutMs: 100 };
    const pool = createPool({ ...options, url });
    await pool.query('SELECT 1');
    proxy.hold();
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });

  it('leaves no transaction open: what cannot be rolled back is not used again', async () => {
    const pool = new pg.Pool({ connectionString: url, query_timeout: 300 });
    pool.on('error', () => undefined);
    const work = inTransaction(pool, async (client) => {
      proxy.hold();
      await client.query('SELECT 1');
    });
    await expect(work).rejects.toThrow('timeout');
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });
});

describe('the question whether a database can be written to', () => {
  const taken = async (pool: pg.Pool, count: number) => {
    const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
    for (const client of clients) client.release();
  };
  const msUntil = async (work: () => Promise<unknown>): Promise<number> => {
    const since = performance.now();
    await work();
    return performance.now() - since;
  };

  it('is asked on another connection soon, where those that lie there have died without a word', async () => {
    const pool = createPool({ applicationName: 'test', logger: silentLogger, url });
    await taken(pool, 5);
    proxy.silence();
    const health = createHealth();
    health.addCheck('database', () => checkWritable(pool));
    expect(await health.readiness()).toMatchObject({ ready: false });
    const again = async () => {
      while (!(await health.readiness()).ready) await delay(50);
    };
    expect(await msUntil(again)).toBeLessThan(5_000);
    expect(await msUntil(() => pool.query('SELECT 1'))).toBeLessThan(5_000);
    await pool.end();
  }, 60_000);

  it('is answered with no by one that hangs, as long as it does, and with yes afterwards', async () => {
    const pool = createPool({ applicationName: 'test', logger: silentLogger, url, connectTimeoutMs: 500 });
    await taken(pool, 2);
    const health = createHealth();
    health.addCheck('database', () => checkWritable(pool));
    proxy.hold();
    for (const _ of [1, 2, 3]) expect(await health.readiness()).toMatchObject({ ready: false });
    proxy.cut();
    await health.readiness();
    expect(await health.readiness()).toMatchObject({ ready: true });
    await pool.end();
  }, 60_000);
});

describe('a process that stands still in the middle of a transaction', () => {
  it('holds nobody up for long: it is rolled back, and told as a database that did not answer', async () => {
    const pool = createPool({ applicationName: 'test', logger: silentLogger, url });
    await database.pool.query('CREATE TABLE ledger (line text)');
    const oldest = async () =>
      (await database.pool.query('SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xid')).rows;
    const standing = inTransaction(pool, async (client) => {
      await client.query("INSERT INTO ledger VALUES ('half')");
      const before = await oldest();
      await delay(12_000);
      await database.pool.query("INSERT INTO ledger VALUES ('whole')");
      expect(await oldest()).not.toEqual(before);
      await client.query("INSERT INTO ledger VALUES ('the rest')");
    });
    const error: unknown = await standing.catch((reason: unknown) => reason);
    expect([isAway(error), isUndone(error)]).toEqual([true, false]);
    expect((await pool.query('SELECT line FROM ledger')).rows).toEqual([{ line: 'whole' }]);
    await pool.end();
  });

  it('is noticed by the server when its machine is gone', async () => {
    const pool = createPool({ applicationName: 'test', logger: silentLogger, url });
    const { rows } = await pool.query(
      "SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp_keepalives%' ORDER BY name",
    );
    expect(rows.map(({ setting }) => setting)).toEqual(['3', '10', '5']);
    await pool.end();
  });
});

describe('a database that was read-only', () => {
  it('is written to again by a pool whose connections were made while it was', async () => {
    const pool = createPool({ applicationName: 'test', logger: silentLogger, url });
    await database.pool.query('CREATE TABLE pages (page int)');
    await setReadOnly(database.url, true);
    await Promise.all([1, 2, 3].map(() => pool.query('SELECT pg_sleep(0.1)')));
    await setReadOnly(database.url, false);
    const write = () => inTransaction(pool, (client) => client.query('INSERT INTO pages VALUES (1)'));
    await expect(write()).rejects.toThrow('read-only');
    await write();
    await Promise.all([1, 2, 3].map(write));
    await pool.end();
  });
});

describe('a database that is not there for a statement', () => {
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const kindOf = (error: unknown) => ({ undone: isUndone(error), away: isAway(error) });
  const small = { applicationName: 'test', logger: silentLogger, max: 1, connectTimeoutMs: 200 };

  it('is known as one that was not even asked: all connections are taken, or none can be made', async () => {
    const pool = createPool({ ...small, url });
    const taken = await pool.connect();
    expect(kindOf(await failureOf(pool.query('SELECT 1')))).toEqual({ undone: true, away: true });
    expect(kindOf(await failureOf(inTransaction(pool, () => pool.query('SELECT 1'))))).toMatchObject({ away: true });
    taken.release();
    await pool.end();
    proxy.hold();
    const silent = createPool({ ...small, url });
    expect(kindOf(await failureOf(silent.query('SELECT 1')))).toEqual({ undone: true, away: true });
    await silent.end();
    const nobody = createPool({ ...small, url: 'postgres://localhost:1/x' });
    expect(kindOf(await failureOf(nobody.query('SELECT 1')))).toEqual({ undone: true, away: true });
    await nobody.end();
  });

  /** What stands before the database takes every connection, and does with some of what it is sent as it is told. */
  const behind = async (take: (said: Buffer, inner: Socket) => boolean, work: (pool: pg.Pool) => Promise<void>) => {
    const { hostname, port } = new URL(database.url);
    const front = createServer((inner) => {
      const outer = connect(Number(port), hostname);
      for (const [one, other] of [
        [inner, outer],
        [outer, inner],
      ] as const)
        one.on('error', () => undefined).on('close', () => other.destroy());
      inner.on('data', (said) => take(said, inner) && outer.write(said));
      outer.on('data', (said) => inner.write(said));
    });
    await once(front.listen(0, '127.0.0.1'), 'listening');
    const place = Object.assign(new URL(database.url), { port: String((front.address() as AddressInfo).port) });
    const pool = createPool({ ...small, connectTimeoutMs: 5_000, url: place.href });
    await work(pool);
    await pool.end();
    front.close();
  };

  it.each<[string, (said: Buffer, inner: Socket) => boolean]>([
    ['is cut in its handshake', (_, inner) => !inner.resetAndDestroy()],
    ['is closed in its handshake', (_, inner) => !inner.end()],
    ['is cut while it is made ready', (said, inner) => !said.includes('set_config') || !inner.resetAndDestroy()],
  ])('is known as one that was not even asked: every connection %s', async (_, take) => {
    await behind(take, async (pool) => {
      const failures = [
        await failureOf(pool.query('SELECT 1')),
        await failureOf(inTransaction(pool, (client) => client.query('SELECT 1'))),
        await failureOf(pool.connect()),
        await failureOf(openConnection(pool, 'one more')),
      ];
      expect(failures.map(kindOf)).toEqual(failures.map(() => ({ undone: true, away: true })));
    });
  });

  it('is known as one that was asked where a connection that was made is cut under the question', async () => {
    const cutAtQuestion = (said: Buffer, inner: Socket) => !said.includes('SELECT 17') || !inner.resetAndDestroy();
    await behind(cutAtQuestion, async (pool) => {
      expect(kindOf(await failureOf(pool.query('SELECT 17')))).toEqual({ undone: false, away: true });
    });
  });

  it('is known as one that was asked, and did not answer in time', async () => {
    const pool = createPool({ ...small, url, statementTimeoutMs: 100 });
    expect(kindOf(await failureOf(pool.query('SELECT pg_sleep(5)')))).toEqual({ undone: false, away: true });
    await pool.query('SELECT 1');
    proxy.hold();
    expect(kindOf(await failureOf(pool.query('SELECT 1')))).toEqual({ undone: false, away: true });
    await pool.end();
  });

  it('is known as one that was asked where the network went away under the question', () => {
    const unreachable = (syscall: string) => Object.assign(new Error('no route'), { code: 'EHOSTUNREACH', syscall });
    expect(kindOf(unreachable('connect'))).toEqual({ undone: true, away: true });
    expect(kindOf(unreachable('read'))).toEqual({ undone: false, away: true });
  });

  it('is known as one that answers, and takes nothing: it is read-only, or its disk is full', async () => {
    const pool = createPool({ ...small, url });
    await pool.query('CREATE TABLE leaves (leaf text)');
    const written = (before: string) =>
      failureOf(
        inTransaction(pool, async (client) => {
          await client.query(before);
          await client.query("INSERT INTO leaves VALUES ('green')");
        }),
      );
    const refusals = [
      await written('SET TRANSACTION READ ONLY'),
      await written("DO $$ BEGIN RAISE 'no space left' USING ERRCODE = '53100'; END $$"),
    ];
    expect(refusals.map(isRefused)).toEqual([true, true]);
    expect(refusals.map(kindOf)).toEqual(refusals.map(() => ({ undone: true, away: true })));
    expect((await pool.query('SELECT leaf FROM leaves')).rows).toEqual([]);
    // The disk was full for the record of a commit: the server ends, and what it has kept is seen when it is back.
    const ended = Object.assign(new Error('no space left'), { code: '53100', severity: 'PANIC' });
    expect([isRefused(ended), isUndone(ended)]).toEqual([false, false]);
    await pool.end();
  });

  it('is none of both where it answers', async () => {
    const pool = createPool({ ...small, url });
    expect(kindOf(await failureOf(pool.query('SELECT 1/0')))).toEqual({ undone: false, away: false });
    expect(kindOf(new TypeError('x is not a function'))).toEqual({ undone: false, away: false });
    await pool.end();
  });
});
