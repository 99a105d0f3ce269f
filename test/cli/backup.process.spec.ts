import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { verifyChain } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { reachEmbeddedPostgres } from '#platform/embedded-postgres';
import { firstKey, type RunningApp, runApp } from '../../apps/all/testing/run-app.ts';
import { newUser, type User } from './support/cointill.ts';
import { publishedBy } from './support/published.ts';

const TOKEN = 'the-operator-of-the-backup-tests';

const root = mkdtempSync(join(tmpdir(), 'cointill-backup-'));
const dataDir = join(root, 'running');
const restored = join(root, 'restored');
const file = join(root, 'backup.tar.gz');

const apps = new Set<RunningApp>();

const started = async (directory: string): Promise<string> => {
  const app = runApp({ DATA_DIR: directory, PORT: '0', OPERATOR_TOKEN: TOKEN, LOG_LEVEL: 'error' });
  apps.add(app);
  const url = await app.url;
  if (!url) throw new Error(`the app ended: ${app.err()}`);
  return url;
};

const stopped = async (): Promise<void> => {
  for (const app of apps) app.signal('SIGTERM');
  await Promise.all([...apps].map(({ ended }) => ended));
  apps.clear();
};

const sent = async (url: string, path: string, headers: object, body?: object, method = 'POST') => {
  const answer = await fetch(`${url}${path}`, {
    ...(body && { method, body: JSON.stringify(body) }),
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

let user: User;
let [url, key] = ['', ''];
/** Those that were answered, in that order. */
const answered: number[] = [];
const given: unknown[] = [];
let creating = true;

/** Creates deposits, one after the other, for as long as it is let. */
const createOn = async (entityId: number): Promise<void> => {
  const player = { entity_id: entityId, gambler_ref: 'alice', phone: '+15550100' };
  await sent(url, '/operator/players', { Authorization: `Bearer ${TOKEN}` }, { ...player, kyc: 'verified' }, 'PUT');
  while (creating) {
    const order = { ...player, currency: 'BTC', amount: 100 };
    const { status, body } = await sent(url, '/casino/deposit_address', { 'X-API-Key': key }, order);
    expect([status, typeof body.deposit_id]).toEqual([200, 'number']);
    answered.push(Number(body.deposit_id));
    given.push(body.address);
  }
};

const untilAnswered = async (count: number): Promise<void> => {
  while (answered.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
};

beforeAll(async () => {
  user = newUser();
  await user.piped(['--help']);
  url = await started(dataDir);
  key = await firstKey(dataDir);
}, 180_000);

afterAll(async () => {
  creating = false;
  await stopped();
  user.gone();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}, 60_000);

it('what was answered before a backup began is there where it is restored, proven and served, though it ran under load', async () => {
  const { body } = await sent(url, '/casino/integration/key', { 'X-API-Key': key });
  const [entity] = body.entities as { id: number }[];
  const loads = [createOn(entity?.id ?? 0)];
  await untilAnswered(20);
  const before = [...answered];
  const { code, out, err } = await user.piped(['backup', file, '--json'], '', { DATA_DIR: dataDir });
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual({ file, data_dir: dataDir, holds_key: true });
  expect((await publishedBy(user))('backup', JSON.parse(out))).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const during = answered.length;
  await untilAnswered(during + 5);
  creating = false;
  await Promise.all(loads);
  expect(during).toBeGreaterThan(before.length);

  const again = await user.piped(['restore', file], '', { DATA_DIR: dataDir });
  expect([again.code, again.err]).toEqual([3, expect.stringContaining('is in use by process')]);
  await stopped();
  expect(await user.piped(['restore', file], '', { DATA_DIR: restored })).toMatchObject({ code: 0, out: '' });
  url = await started(restored);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  for (const id of before) {
    const { status, body: deposit } = await sent(url, `/casino/deposit/${id}`, { 'X-API-Key': key });
    expect([id, status, deposit.id]).toEqual([id, 200, id]);
  }
  const order = { entity_id: entity?.id, gambler_ref: 'alice', phone: '+15550100', currency: 'BTC', amount: 100 };
  const { body: anew } = await sent(url, '/casino/deposit_address', { 'X-API-Key': key }, order);
  expect(Number(anew.deposit_id)).toBeGreaterThan(1_000_000);
  expect(given).not.toContain(anew.address);
  const reached = await reachEmbeddedPostgres(restored);
  const log = await openPostgresEventLog({ databaseUrl: reached.url });
  for (const id of before) expect(await verifyChain(log.read(`deposit-${id}`))).toBeGreaterThan(0);
  await log.close();
}, 300_000);

it('a directory with something in it is not restored to, and with --yes what it held is moved aside', async () => {
  await stopped();
  const refused = await user.piped(['restore', file], '', { DATA_DIR: restored });
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('is not empty')]);
  const { code, out } = await user.piped(['restore', file, '--yes', '--json'], '', { DATA_DIR: restored });
  expect(code).toBe(0);
  expect((await publishedBy(user))('restore', JSON.parse(out))).toEqual([]);
  const names = readdirSync(restored).map((name) => name.replace(/[0-9a-f]{6}$/, ''));
  expect(names).toEqual(
    expect.arrayContaining(['postgres', 'postgres.before-restore-', 'secrets.key', 'secrets.key.before-restore-']),
  );
}, 60_000);

it.each([
  ['cut off', (whole: Buffer) => whole.subarray(0, Math.floor(whole.length / 2)), 'is no whole backup'],
  [
    'changed',
    (whole: Buffer) => {
      // Of one bit alone the packing may make the same: a run of zeros is taken from elsewhere.
      const [changed, from] = [Buffer.from(whole), Math.floor(whole.length / 2)];
      for (let at = from; at < from + 64; at += 1) changed[at] = (changed[at] ?? 0) ^ 0xff;
      return changed;
    },
    'is no whole backup',
  ],
  ['something else', () => Buffer.from('no archive at all'), 'is no whole backup'],
])(
  'a file that is %s is refused, and nothing is left of it',
  async (_, made, said) => {
    const [broken, target] = [join(root, 'broken.tar.gz'), join(root, 'nothing')];
    writeFileSync(broken, made(readFileSync(file)));
    const { code, err } = await user.piped(['restore', broken], '', { DATA_DIR: target });
    expect([code, err]).toEqual([3, expect.stringContaining(said)]);
    expect(readdirSync(target)).toEqual([]);
  },
  60_000,
);

it('a backup is made of what does not run too, and never over a file that is there', async () => {
  const other = join(root, 'other.tar.gz');
  expect(await user.piped(['backup', other], '', { DATA_DIR: restored })).toMatchObject({ code: 0, out: '' });
  const size = statSync(other).size;
  const { code, err } = await user.piped(['backup', other], '', { DATA_DIR: restored });
  expect([code, err]).toEqual([3, expect.stringContaining(`${other} is there already: name another file`)]);
  expect(statSync(other).size).toBe(size);
  expect(readdirSync(root).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
}, 120_000);

it('a file that cannot be made, or is not there, is named with what to do, and nothing of the system', async () => {
  const nowhere = join(root, 'nope', 'x.tar.gz');
  const made = await user.piped(['backup', nowhere], '', { DATA_DIR: restored });
  expect([made.code, made.err]).toEqual([
    3,
    `cointill: ${nowhere} cannot be made: its directory is not there, make it\n`,
  ]);
  const target = join(root, 'of nothing');
  const absent = await user.piped(['restore', nowhere], '', { DATA_DIR: target });
  expect([absent.code, absent.err]).toEqual([
    3,
    `cointill: ${nowhere} is not there: name the file that cointill backup has made\n`,
  ]);
  const directory = await user.piped(['restore', root], '', { DATA_DIR: target });
  expect([directory.code, directory.err]).toEqual([
    3,
    `cointill: ${root} is a directory: name the file that cointill backup has made\n`,
  ]);
}, 120_000);

it('the key of a running service is replaced, and a backup of before opens with the key of before', async () => {
  url = await started(restored);
  const [old, settings] = [readFileSync(join(restored, 'secrets.key'), 'utf8'), { DATA_DIR: restored }];
  expect((await user.piped(['secrets', 'rotate'], '', settings)).code).toBe(2);
  const { code, out } = await user.piped(['secrets', 'rotate', '--yes', '--json'], '', settings);
  expect([code, JSON.parse(out)]).toEqual([0, { resealed: expect.any(Number), finished: true }]);
  expect(readFileSync(join(restored, 'secrets.key'), 'utf8')).not.toBe(old);
  expect((await sent(url, '/casino/integration/key', { 'X-API-Key': key })).status).toBe(200);
  await stopped();
  url = await started(restored);
  expect((await sent(url, '/casino/integration/key', { 'X-API-Key': key })).status).toBe(200);
  await stopped();
  expect((await user.piped(['restore', file, '--yes'], '', settings)).code).toBe(0);
  expect(readFileSync(join(restored, 'secrets.key'), 'utf8')).toBe(old);
  url = await started(restored);
  expect((await sent(url, '/casino/integration/key', { 'X-API-Key': key })).status).toBe(200);
}, 180_000);
