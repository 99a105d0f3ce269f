import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { databasePerFile } from '../../test/support/with-database.ts';
import { type RunningApp, runApp } from './testing/run-app.ts';

const database = databasePerFile();
let dataDir: string;
let app: RunningApp;
let base: URL;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gone '));
  app = runApp({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', LINKS_PER_ADDRESS: '100000' });
  const url = await app.url;
  if (!url) throw new Error(`the app ended: ${app.err()}`);
  base = new URL(url);
}, 60_000);

afterAll(async () => {
  app.signal('SIGTERM');
  await app.ended;
  await rm(dataDir, { recursive: true, force: true });
});

const withBody = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** The system then knows no address of the other side any more. */
const callAndGo = (bytes: string, afterMs: number): Promise<void> =>
  new Promise((done) => {
    const socket = connect(Number(base.port), base.hostname, async () => {
      socket.write(bytes);
      await later(afterMs);
      socket.resetAndDestroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => done());
  });

it.each([
  ['shows no credential', 'GET /casino/integration/key HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['shows a key that is none', 'GET /casino/deposit/1 HTTP/1.1\r\nHost: a\r\nX-API-Key: 7:none\r\n\r\n'],
  [
    'shows an operator token that is none',
    'GET /operator/affiliates HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n\r\n',
  ],
  ['shows a token of the older interface that is none', withBody('/get_info', '{"access_token":"none"}')],
  ['sends what is no JSON', withBody('/casino/deposit_address', '{')],
  ['opens a link that is none', 'GET /kyc/none HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'asks for a tunnel behind a call',
    'GET /casino/deposit/1 HTTP/1.1\r\nHost: a\r\nX-API-Key: 1:none\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  ['asks for what is nowhere', 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n'],
])(
  'goes on when whoever %s is gone before he is answered',
  async (_, bytes) => {
    for (let nth = 0; nth < 100; nth += 1)
      await Promise.all(Array.from({ length: 4 }, (_each, more) => callAndGo(bytes, more)));
    const response = await fetch(new URL('/health/live', base));
    expect(response.status).toBe(200);
    const faults = `${app.out()}${app.err()}`
      .split('\n')
      .filter((line) => /failed unexpectedly|nobody caught/.test(line));
    expect(faults).toEqual([]);
  },
  60_000,
);
