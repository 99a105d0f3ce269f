import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../test/support/free-port.ts';
import { databasePerFile } from '../../test/support/with-database.ts';
import { growthOf, SAYS_WHAT_IS_KEPT } from './testing/kept-by.ts';
import { firstKey, type RunningApp, runApp } from './testing/run-app.ts';

const OPERATOR_TOKEN = 'an-operator-who-is-called-beside-a-crowd';
const ENGINE_TOKEN = 'an-engine-that-signals-beside-a-crowd';

const database = databasePerFile();
let dataDir: string;
let app: RunningApp;
let port: number;
let operatorPort: number;
let key: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strangers '));
  operatorPort = await freePort();
  app = runApp({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    OPERATOR_PORT: String(operatorPort),
    ENGINE: 'external',
    DEMO: 'true',
    OPERATOR_TOKEN,
    ENGINE_TOKEN,
    NODE_OPTIONS: SAYS_WHAT_IS_KEPT,
  });
  const url = await app.url;
  if (!url) throw new Error(`the app ended: ${app.err()}`);
  port = Number(new URL(url).port);
  key = await firstKey(dataDir);
}, 60_000);

const crowd = new Set<Socket>();

afterEach(async () => {
  for (const socket of crowd) socket.destroy();
  crowd.clear();
  await later(500);
});

afterAll(async () => {
  app.signal('SIGTERM');
  await app.ended;
  await rm(dataDir, { recursive: true, force: true });
});

/** From an address of this machine, and never read. */
const stranger = (nth: number, bytes: readonly (string | Buffer)[]): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.9.${1 + nth}` }, () => {
      for (const part of bytes) socket.write(part);
      resolve(socket);
    });
    socket.on('error', () => resolve(socket)).once('close', () => crowd.delete(socket));
    crowd.add(socket);
  });

const megabytes = (): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(app.pid)], { encoding: 'utf8' })) / 1_024;

const statusOf = (path: string, agent: Agent): Promise<number> =>
  new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path, agent, headers: { 'x-api-key': key } }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('error', () => resolve(0)).end();
  });

const post = (path: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${more}`;

describe('beside a crowd of strangers', () => {
  /** Looked up, each by itself, and found nowhere. */
  const shown = (): string => `X-API-Key: ${randomUUID()}\r\n`;

  const pad = Buffer.alloc(15_000, 'a');

  it('whose requests wait for their turn memory is bounded', async () => {
    const one = () => [`GET /casino/deposit/1 HTTP/1.1\r\nHost: a\r\n${shown()}X-A: `, pad, '\r\n\r\n'];
    const all = () => Array.from({ length: 32 }, one).flat();
    const send = () => Promise.all(Array.from({ length: 400 }, (_, nth) => stranger(nth % 8, all())));
    expect(await growthOf(app, send)).toBeLessThan(80);
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
  }, 40_000);

  it('with unfinished heads the connection of a known caller is kept, and whoever comes is answered', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await statusOf('/casino/integration/key', agent)).toBe(200);
    const [known] = Object.values(agent.freeSockets).flat();
    const before = megabytes();
    const head = post('/create_transaction', `X-A: ${'a'.repeat(15_000)}`);
    for (let nth = 0; nth < 4_000; nth += 100)
      await Promise.all(Array.from({ length: 100 }, (_, more) => stranger((nth + more) % 50, [head])));
    for (const end = performance.now() + 10_000; crowd.size > 800 && performance.now() < end; ) await later(100);
    expect(crowd.size).toBeLessThanOrEqual(800);
    expect(megabytes() - before).toBeLessThan(160);
    expect(await statusOf('/casino/integration/key', agent)).toBe(200);
    expect(Object.values(agent.freeSockets).flat()).toEqual([known]);
    expect(await statusOf('/casino/integration/key', new Agent())).toBe(200);
    agent.destroy();
  }, 40_000);

  it('whose bodies never end, an engine at OPERATOR_PORT and a partner with a large body find room', async () => {
    const begun = (bytes: number) => post('/create_transaction', `Content-Length: 1048576\r\n\r\n${' '.repeat(bytes)}`);
    for (let nth = 0; nth < 64; nth += 1) await stranger(nth % 4, [begun(600_000)]);
    for (const bytes of [30_000, 12_000, 6_000, 5_000])
      for (let nth = 0; nth < 100; nth += 1) await stranger(4, [begun(bytes)]);
    await later(1_000);
    const signals = Array.from({ length: 100 }, (_, nth) => ({
      signal_id: `beside-${nth}`,
      type: 'payment.seen',
      deposit_id: 999_999,
      at: new Date().toISOString(),
      txid: 'a'.repeat(64),
      amount: '1',
      funding_addresses: ['a'],
    }));
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${ENGINE_TOKEN}` };
    const body = JSON.stringify({ signals });
    const engine = await fetch(`http://127.0.0.1:${operatorPort}/engine/signals`, { method: 'POST', headers, body });
    expect(engine.status).toBe(200);
    const partner = await fetch(`http://127.0.0.1:${port}/casino/deposit_address`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: `{"pad":"${'p'.repeat(100_000)}"}`,
    });
    expect(partner.status).toBe(400);
  }, 40_000);
});
