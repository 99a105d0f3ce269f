import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerFile } from '../../test/support/with-database.ts';
import { besideObjectsOf, SAYS_WHAT_IS_KEPT } from './testing/kept-by.ts';
import { firstKey, type RunningApp, runApp } from './testing/run-app.ts';

const OPERATOR_TOKEN = 'an-operator-who-verifies-a-player';

const PAGE = '/casino/deposits?entity_id=1&limit=100';

/** Of characters that are kept in four bytes each, as long as may be: a page of a quarter of a megabyte. */
const [gambler_ref, machine_id, phone] = ['\u{1f600}'.repeat(255), '\u{1f600}'.repeat(64), '+15550101'];

const isThere = !spawnSync('python3', ['--version'], { stdio: 'ignore' }).error;

/** Small buffers and packets, which this runtime has no way to ask for: the systems on both sides keep little of an answer. */
const crowdOf = `
import socket, sys, time
port, number, head = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode()
sockets = []
for nth in range(number):
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    one.connect(('127.0.0.1', port))
    one.sendall(head)
    one.recv(1)
    sockets.append(one)
print('asked', flush=True)
time.sleep(600)
`;

const database = databasePerFile();
let dataDir: string;
let app: RunningApp;
let url: string;
let key: string;
let crowd: ChildProcess | undefined;

const call = async (
  method: string,
  path: string,
  body: object,
  credential: Record<string, string>,
): Promise<unknown> => {
  const headers = { 'content-type': 'application/json', ...credential };
  return (await fetch(url + path, { method, headers, body: JSON.stringify(body) })).json();
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'unread '));
  app = runApp({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    ENGINE: 'external',
    DEMO: 'true',
    OPERATOR_TOKEN,
    NODE_OPTIONS: SAYS_WHAT_IS_KEPT,
  });
  url = (await app.url) ?? '';
  if (url === '') throw new Error(`the app ended: ${app.err()}`);
  key = await firstKey(dataDir);
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  await call('PUT', '/operator/rates/BTC', { usd: '50000' }, operator);
  await call('PUT', '/operator/players', { entity_id: 1, gambler_ref, phone, kyc: 'verified' }, operator);
  const asked = { entity_id: 1, gambler_ref, machine_id, phone, currency: 'BTC', amount: 100 };
  for (let nth = 0; nth < 100; nth += 1)
    expect(await call('POST', '/casino/deposit_address', asked, { 'x-api-key': key })).toMatchObject({ status: 'ok' });
}, 120_000);

afterAll(async () => {
  crowd?.kill();
  app.signal('SIGTERM');
  await app.ended;
  await rm(dataDir, { recursive: true, force: true });
});

describeWhere(isThere, 'python3 is not installed')('beside answers that nobody reads', () => {
  it('memory is bounded, and whoever reads, with the same key too, is answered', async () => {
    const head = `GET ${PAGE} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`;
    const before = await besideObjectsOf(app);
    crowd = spawn('python3', ['-c', crowdOf, new URL(url).port, '200', head], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (crowd.stdout) await once(crowd.stdout, 'data');
    expect((await besideObjectsOf(app)) - before).toBeLessThan(32);
    const page = await fetch(url + PAGE, { headers: { 'x-api-key': key } });
    expect(Buffer.byteLength(await page.text())).toBeGreaterThan(200_000);
  }, 120_000);
});
