import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { silentLogger } from '../logging/index.ts';
import { createPool, inTransaction } from './index.ts';

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
