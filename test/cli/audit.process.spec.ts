import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  type DepositHandle,
  done,
  newCasino,
  openMarket,
  type Running,
  type Service,
  serviceAt,
  startService,
} from '../acceptance/harness/index.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { newUser, type User } from './support/cointill.ts';

let database: FreshDatabase;
let running: Running;
let service: Service;
let deposit: DepositHandle;
let user: User;

beforeAll(async () => {
  database = await freshDatabase();
  running = await startService({ DATABASE_URL: database.url });
  user = newUser({ COINTILL_URL: running.url, COINTILL_TOKEN: running.operatorToken });
  service = serviceAt(() => running);
  await openMarket(service);
  deposit = await (await (await newCasino(service)).deposit()).settle();
  await deposit.accept();
}, 180_000);

afterAll(async () => {
  user.gone();
  await running.stop();
  await database.drop();
}, 60_000);

const file = (name: string): string => join(user.config, name);

/** As a shell does it: `cointill … > file`. */
const kept = async (name: string, ...args: string[]): Promise<string> => {
  const { code, out, err } = await user.piped(['audit', ...args]);
  expect([args, code, err]).toEqual([args, 0, expect.not.stringContaining('cointill:')]);
  writeFileSync(file(name), out);
  return out;
};

const verified = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  user.piped(['audit', 'verify', ...args], '', env);

const query = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement);
  await client.end();
};

/** Without a service or a token. */
const alone = { COINTILL_URL: 'http://127.0.0.1:1', COINTILL_TOKEN: '' };

const changed = (name: string, from: string | RegExp, to: string): string => {
  const other = file(`changed-${name}`);
  const text = readFileSync(file(name), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(other, text.replace(from, to));
  return other;
};

describe('what an auditor takes away', () => {
  it('is a seal with its histories, and a key, by which history holds with the service and without', async () => {
    const seal = JSON.parse(await kept('seal.json', 'seal', '--json')) as { number: number };
    const lines = (await kept('seal.ndjson', 'seals', 'export', String(seal.number))).trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toEqual(seal);
    expect(lines.slice(1).map((line) => (JSON.parse(line) as { stream: string }).stream)).toContain(
      `deposit-${deposit.id}`,
    );
    expect(await kept('key.pem', 'public-key')).toMatch(
      /^-----BEGIN PUBLIC KEY-----\n[^-]+-----END PUBLIC KEY-----\n$/,
    );
    expect(await verified([])).toMatchObject({ code: 0, out: '' });
    expect(await verified(['--seal', file('seal.ndjson')])).toMatchObject({ code: 0, out: '' });
    const direct = ['--seal', file('seal.ndjson'), '--key', file('key.pem')];
    const one = ['--deposit', String(deposit.id)];
    expect(await verified(['--seal', file('seal.ndjson'), ...one])).toMatchObject({ code: 0, out: '' });
    for (const args of [direct, [...direct, ...one]])
      expect(await verified(args, { ...alone, DATABASE_URL: database.url })).toMatchObject({ code: 0, out: '' });
  }, 120_000);

  it('is no other seal than the one that the service keeps', async () => {
    const other = changed('seal.json', /"root": "../, '"root": "zz');
    const { code, out } = await verified(['--seal', other]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^seal: the file holds seal \d+, and the service keeps another/),
    ]);
    expect(await verified(['--seal', file('seal.json'), '--from', '2026-01-01T00:00:00Z'])).toMatchObject({ code: 2 });
  }, 60_000);

  it('is no other histories than the seal was made over, with the service and without', async () => {
    const other = changed('seal.ndjson', '"stream":"deposit-', '"stream":"deposit-9');
    const sealed = ['--seal', other, '--key', file('key.pem')];
    for (const env of [{}, { ...alone, DATABASE_URL: database.url }])
      expect(await verified(sealed, env)).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^seal: the heads that are kept of seal \d+ are not its own$/m),
      });
  }, 60_000);

  it('is a key that no other stands for, and that the service is not asked for', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(file('other.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
    const heldBy = (key: string) => verified(['--seal', file('seal.ndjson'), '--key', file(key)]);
    expect(await heldBy('key.pem')).toMatchObject({ code: 0, out: '' });
    expect(await heldBy('other.pem')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^seal: seal \d+: it was signed with another key\n$/),
    });
    expect(await heldBy('none.pem')).toMatchObject({ code: 2, err: expect.stringContaining('no public key as PEM') });
    expect(await verified(['--key', file('key.pem')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--seal or --proof'),
    });
  }, 60_000);

  it('is the proof of one event, for which the key alone is needed', async () => {
    await kept('proof.json', 'prove', String(deposit.id), '1');
    const proof = ['--proof', file('proof.json'), '--key', file('key.pem')];
    const whole = { stream: `deposit-${deposit.id}`, revision: 1 };
    expect(await verified(proof, alone)).toMatchObject({
      code: 0,
      out: expect.stringMatching(`^proven: stream ${whole.stream}, revision 1, [A-Z][A-Za-z]+: .* seal \\d+ `),
    });
    expect(JSON.parse((await verified([...proof, '--json'], alone)).out)).toMatchObject({
      findings: [],
      proven: whole,
    });
    const forged = changed('proof.json', /"revision": 1/, '"revision": 2');
    expect(await verified(['--proof', forged, '--key', file('key.pem')], alone)).toMatchObject({
      code: 1,
      out: expect.not.stringContaining('proven'),
    });
  }, 60_000);

  it('is the story of a deposit, and what was decided', async () => {
    expect(await kept('story.txt', 'stream', String(deposit.id))).toMatch(/DepositAccepted|accepted/i);
    expect(await kept('decisions.csv', 'export')).toContain(`${deposit.id},`);
  }, 60_000);
});

it('is all there for a token of an auditor, who makes no seal himself', async () => {
  const { token } = done(await service.operator('POST', '/operator/tokens', { role: 'auditor', name: 'Auditor' }));
  const as = { COINTILL_TOKEN: String(token) };
  for (const args of [
    ['verify', '--deposit', String(deposit.id)],
    ['seals'],
    ['stream', String(deposit.id)],
    ['export'],
  ])
    expect(await user.piped(['audit', ...args], '', as)).toMatchObject({ code: 0 });
  expect(await user.piped(['audit', 'seal'], '', as)).toMatchObject({ code: 3, out: '' });
}, 60_000);

it('says that there is no deposit of an id that was never given, and proves nothing of it', async () => {
  const one = ['--deposit', '123456789'];
  const seal = ['--seal', file('seal.ndjson'), '--key', file('key.pem')];
  const none = { code: 3, out: '', err: expect.stringContaining('cointill: there is no deposit 123456789\n') };
  for (const env of [{}, { ...alone, DATABASE_URL: database.url }])
    for (const args of [one, [...one, ...seal], [...one, '--json']])
      expect(await verified(args, env)).toMatchObject(none);
}, 60_000);

it('names the entry of the audit trail that somebody has changed since, and tells of an end that was cut off', async () => {
  const stores = { ...alone, DATABASE_URL: database.url };
  const tamper = (statement: string) =>
    query(`ALTER TABLE audit_trail DISABLE TRIGGER USER; ${statement}; ALTER TABLE audit_trail ENABLE TRIGGER USER;
      ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER chained`);
  const findings = async (place: string) => {
    const direct = ['--seal', file('seal.ndjson'), '--key', file('key.pem')];
    for (const { code, out } of [await verified(['--seal', file('seal.ndjson')]), await verified(direct, stores)])
      expect([code, out]).toEqual([1, expect.stringContaining(place)]);
  };
  await tamper(`UPDATE audit_trail SET actor = actor || '9' WHERE place = 1`);
  await findings('trail: table audit_trail, key {"id":1}: its content was changed after it was written');
  await tamper(`UPDATE audit_trail SET actor = left(actor, -1) WHERE place = 1`);
  await tamper('DELETE FROM audit_trail WHERE place > 1');
  await findings('seal: table audit_trail, key {"place":');
}, 90_000);

it('names the event that somebody has changed since', async () => {
  await query(`ALTER TABLE events DISABLE TRIGGER USER;
    UPDATE events SET data = jsonb_set(data::jsonb, '{who}', '"somebody"')::text WHERE stream = 'deposit-${deposit.id}' AND revision = 2;
    ALTER TABLE events ENABLE TRIGGER USER`);
  const { code, out } = await verified([]);
  expect([code, out]).toEqual([1, expect.stringContaining(`chain: stream deposit-${deposit.id}, revision 2`)]);
  const stores = { ...alone, DATABASE_URL: database.url };
  const direct = await verified(['--deposit', String(deposit.id)], stores);
  expect(direct).toMatchObject({ code: 1, out: expect.stringContaining('revision 2') });
  const sealed = ['--deposit', String(deposit.id), '--seal', file('seal.ndjson')];
  expect(await verified(sealed)).toMatchObject({ code: 1, out: expect.stringContaining('revision 2') });
  for (const env of [{}, stores])
    for (const format of ['csv', 'ndjson'])
      expect(await user.piped(['audit', 'export', '--format', format], '', env)).toMatchObject({
        code: 1,
        out: expect.stringContaining('accepted'),
        err: expect.stringContaining(`chain: stream deposit-${deposit.id}, revision 2: its content was changed`),
      });
  const unread = user.pipes(['audit', 'verify'], stores);
  unread.child.stdout.destroy();
  expect((await unread.ended).code).toBe(1);
  const byOne = await verified(['--json'], stores);
  // As a long history is taken: by two threads.
  await query('UPDATE projection_checkpoints SET events = 1000000');
  expect(await verified(['--json'], stores)).toEqual({ ...byOne, code: 1, err: expect.any(String) });
  expect(JSON.parse(byOne.out)).toMatchObject({
    findings: expect.arrayContaining([{ by: 'chain', revision: 2 }].map(expect.objectContaining)),
  });
}, 90_000);

it('names the deposit whose history somebody took away, and ends with 1', async () => {
  const check = () => user.piped(['deposits', 'check', String(deposit.id)]);
  expect(await check()).toMatchObject({ code: 1, out: expect.stringContaining('its content was changed') });
  await query(`ALTER TABLE events DISABLE TRIGGER USER;
    DELETE FROM events WHERE stream = 'deposit-${deposit.id}';
    ALTER TABLE events ENABLE TRIGGER USER`);
  expect(await check()).toMatchObject({ code: 1, out: expect.stringContaining('its history is not there') });
  const one = ['--deposit', String(deposit.id)];
  for (const { code, out } of [await verified(one), await verified(one, { ...alone, DATABASE_URL: database.url })])
    expect([code, out]).toEqual([1, expect.stringMatching(/^rows: .*its history is not there\n$/)]);
}, 90_000);
