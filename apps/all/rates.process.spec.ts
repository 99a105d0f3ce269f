import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { firstKey, type RunningApp, runApp } from './testing/run-app.ts';

let database: FreshDatabase;
let dataDir: string;
let running: RunningApp[];
let key: string;

beforeEach(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'rates '));
  running = [];
});

afterEach(async () => {
  for (const app of running) app.signal('SIGTERM');
  await Promise.all(running.map(({ ended }) => ended));
  await rm(dataDir, { recursive: true, force: true });
  await database.drop();
});

/** Two instances, one after the other, so that the first alone makes the demonstration. */
const start = async (settings: Readonly<Record<string, string>>): Promise<readonly [string, string]> => {
  const urls: string[] = [];
  for (const _ of [1, 2]) {
    const common = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', TRUSTED_PROXIES: '127.0.0.1' };
    const app = runApp({ ...common, ...settings });
    running.push(app);
    urls.push((await app.url) ?? '');
  }
  key = await firstKey(dataDir);
  const [one = '', other = ''] = urls;
  return [one, other];
};

let players = 0;

const create = (url: string, from = '192.0.2.1', credential = key) =>
  fetch(`${url}/casino/deposit_address`, {
    method: 'POST',
    headers: { 'x-api-key': credential, 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({
      ...{ entity_id: 1, gambler_ref: `g-${players++}`, phone: `+4670000${1000 + players}` },
      ...{ currency: 'BTC', amount: 100 },
    }),
  });

const look = (url: string, from: string) => fetch(`${url}/kyc/a-guess`, { headers: { 'x-forwarded-for': from } });

const told = ({ status, headers }: Response) => ({
  status,
  policy: headers.get('ratelimit-policy'),
  left: /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1],
  retryAfter: Number(headers.get('retry-after')),
});

describe('rates of use', () => {
  it('of creates are those of the settings, over all instances', async () => {
    const [one, other] = await start({ CREATES_PER_KEY: '4', CREATES_PER_ADDRESS: '3' });
    const policy = '"key";q=4;w=60, "address";q=3;w=60';
    expect(told(await create(one))).toMatchObject({ status: 200, policy, left: '3' });
    expect(told(await create(other))).toMatchObject({ status: 200, policy, left: '2' });
    expect((await create(one)).status).toBe(200);
    const refused = await create(other);
    expect(told(refused)).toMatchObject({ status: 429, policy });
    expect(told(refused).retryAfter).toBeGreaterThan(0);
    expect(told(refused).retryAfter).toBeLessThanOrEqual(60);
    expect(await refused.json()).toMatchObject({
      detail: expect.stringMatching(/^Too many calls/),
      code: 'too_many_calls',
    });
    expect((await create(one, '192.0.2.1:4711')).headers.get('ratelimit')).toContain('"address";r=0');
    // From elsewhere with the same key: its own four are used up.
    expect((await create(one, '192.0.2.2')).status).toBe(429);
  }, 90_000);

  it('are off for partners unless set, and on for who shows no credential', async () => {
    const [one, other] = await start({ LINKS_PER_ADDRESS: '2' });
    const created = await create(one);
    expect([created.status, created.headers.has('ratelimit')]).toEqual([200, false]);
    expect(told(await look(one, '192.0.2.1'))).toMatchObject({ status: 404, policy: '"address";q=2;w=60', left: '1' });
    expect((await look(other, '192.0.2.1')).status).toBe(404);
    expect((await look(one, '192.0.2.1')).status).toBe(429);
    expect((await look(one, '192.0.2.2')).status).toBe(404);
    for (const [from, status] of [
      ['2001:db8:1:2::1', 404],
      ['2001:db8:1:2::2', 404],
      ['[2001:0db8:1:2:ffff::3]:4711', 429],
      ['2001:db8:1:3::1', 404],
      ['192.0.2.1:4711', 429],
      ['::ffff:192.0.2.1', 429],
    ] as const)
      expect([from, (await look(one, from)).status]).toEqual([from, status]);
  }, 90_000);

  it('of failing calls refuse an address, or a key, until the minute is over', async () => {
    const [one] = await start({ FAILURES_PER_ADDRESS: '5', FAILURES_PER_KEY: '3' });
    const wrong = (from: string) =>
      fetch(`${one}/casino/deposit/wrong`, { headers: { 'x-api-key': key, 'x-forwarded-for': from } });
    // A failure is counted behind its answer: how many more get through is the database's to say.
    const until = async (ask: () => Promise<Response>): Promise<number> => {
      let calls = 1;
      for (; (await ask()).status !== 429; calls++) await delay(50);
      return calls;
    };
    expect(await until(() => create(one, '192.0.2.7', '1:guess'))).toBeGreaterThan(5);
    expect((await create(one, '192.0.2.7')).status).toBe(429);
    expect((await create(one, '192.0.2.7:4711')).status).toBe(429);
    expect((await fetch(`${one}/health/ready`, { headers: { 'x-forwarded-for': '192.0.2.7' } })).status).toBe(200);
    expect((await create(one, '192.0.2.8')).status).toBe(200);
    let address = 60;
    expect(await until(() => wrong(`192.0.2.${address++}`))).toBeGreaterThan(3);
    expect((await create(one, '192.0.2.9')).status).toBe(429);
  }, 90_000);
});
