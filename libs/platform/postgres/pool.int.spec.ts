import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { silentLogger } from '../logging/index.ts';
import { createPool } from './index.ts';

let database: FreshDatabase;
let proxy: TcpProxy;

beforeAll(async () => {
  database = await freshDatabase();
  const { hostname, port } = new URL(database.url);
  proxy = await startTcpProxy(() => ({ host: hostname, port: Number(port) }));
});

afterAll(async () => {
  await proxy.close();
  await database.drop();
});

describe('a question to a server that has gone silent', () => {
  it('is given up some time after the server would have cancelled it, and its connection is not used again', async () => {
    const url = new URL(database.url);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const options = { applicationName: 'test', logger: silentLogger, statementTimeoutMs: 100 };
    const pool = createPool({ ...options, url: url.href });
    await pool.query('SELECT 1');
    proxy.hold();
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });
});
