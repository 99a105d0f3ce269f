import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { appPerFile } from './testing/app-per-file.ts';

const OPERATOR_TOKEN = 'kT4mR9wXcV2bN7qLpZ8sDfG1hJ5yU3oEaWi6';

const app = appPerFile({
  ...{ OPERATOR_TOKEN, LOG_LEVEL: 'trace', ENGINE: 'external', DEMO: 'true' },
  // Without BUS=kafka.
  KAFKA_BROKERS: 'nobody.invalid:9092',
});

type Json = Record<string, unknown>;
type Line = Json & { readonly request_id?: string };

const bearer = { authorization: `Bearer ${OPERATOR_TOKEN}` };

const ask = async (method: string, path: string, headers: Record<string, string>, body?: object | string) => {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const sent = { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(app.url + path, { method, headers: sent, ...(text !== undefined && { body: text }) });
  const answer = await response.text();
  return { status: response.status, json: answer.startsWith('{') ? (JSON.parse(answer) as Json) : {} };
};

const operate = async (method: string, path: string, body: object): Promise<Json> => {
  const { status, json } = await ask(method, `/operator/${path}`, bearer, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
  return json;
};

const lines = (): Line[] =>
  app
    .out()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

const lineOf = async (requestId: string): Promise<Line> => {
  for (;;) {
    const found = lines().find(({ request_id, msg }) => request_id === requestId && msg === 'answered');
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const casinoWithKey = async () => {
  const webhook = { url: 'https://me:pa55word-of-a-url@hooks.invalid/' };
  const { id: affiliate_id } = await operate('POST', 'affiliates', { name: 'Northern' });
  const entity = await operate('POST', 'entities', { affiliate_id, name: 'Aurora', fees: [], webhook });
  const { id: keyId, key } = await operate('POST', 'api-keys', { affiliate_id });
  await operate('PUT', 'players', { entity_id: entity.id, gambler_ref: 'alice', kyc: 'verified', phone: '+15550100' });
  await operate('PUT', 'rates/BTC', { usd: '50000' });
  return { affiliate_id, entityId: Number(entity.id), webhookSecret: entity.webhook_secret, keyId, key: String(key) };
};

const deposit = (entity_id: number, gambler_ref = 'alice') => ({
  ...{ entity_id, gambler_ref, phone: '+15550100', email: 'alice@mail.example' },
  ...{ currency: 'BTC', amount: 100 },
});

it('a setting that is of no use beside the others is told with the start', () => {
  expect(lines()).toContainEqual(
    expect.objectContaining({ level: 40, msg: 'not heeded without BUS=kafka: KAFKA_BROKERS' }),
  );
});

describe("a request's line", () => {
  it('names who called, from where, and about which casino and deposit', async () => {
    const { affiliate_id: affiliate, entityId, keyId, key } = await casinoWithKey();
    const id = (name: string) => ({ 'x-api-key': key, 'x-request-id': name });
    const { json } = await ask('POST', '/casino/deposit_address', id('create'), deposit(entityId));
    const of = { client: '127.0.0.1', caller: `key ${keyId}`, affiliate, casino: entityId, deposit: json.deposit_id };
    expect(await lineOf('create')).toMatchObject({ ...of, level: 30, status: 200 });
    await ask('GET', `/casino/deposit/${json.deposit_id}`, id('read'));
    expect(await lineOf('read')).toMatchObject(of);
    // Refused: what it was about is known all the same.
    await ask('POST', `/casino/deposit/${json.deposit_id}/accept`, id('early'));
    expect(await lineOf('early')).toMatchObject({ caller: of.caller, deposit: of.deposit, status: 409 });
    await ask('GET', `/operator/deposits/${json.deposit_id}/events`, { ...bearer, 'x-request-id': 'operator' });
    expect(await lineOf('operator')).not.toHaveProperty('affiliate');
    expect(await lineOf('operator')).toMatchObject({ caller: 'operator OPERATOR_TOKEN', deposit: of.deposit });
    await ask('GET', '/casino/deposit/1', { 'x-api-key': '1:nobody', 'x-request-id': 'nobody' });
    expect(await lineOf('nobody')).not.toHaveProperty('caller');
  });

  it('is an error with its reason where the answer is a 5xx', async () => {
    const { entityId, key } = await casinoWithKey();
    await operate('PUT', 'kyc-service', { available: false });
    const headers = { 'x-api-key': key, 'x-request-id': 'no kyc' };
    const { status } = await ask('POST', '/casino/deposit_address', headers, deposit(entityId, 'bob'));
    await operate('PUT', 'kyc-service', { available: true });
    const reason = 'Identity verification service unavailable';
    expect([status, await lineOf('no kyc')]).toMatchObject([503, { level: 50, casino: entityId, reason }]);
  });
});

describe('a log at its finest', () => {
  it('holds no key, token, secret, phone or address of e-mail, however they are sent', async () => {
    const { affiliate_id, entityId, webhookSecret, key } = await casinoWithKey();
    const issued = await operate('POST', `affiliates/${affiliate_id}/access-tokens`, {});
    const { token } = await operate('POST', 'tokens', { role: 'auditor' });
    const { access_token, refresh_token } = issued;
    const order = { access_token, email: 'payer@mail.example', amount: 5, crypto_selected: 'BTC', label: 'order' };
    const legacy: readonly [string, string, object | string][] = [
      ['POST', '/create_transaction', order],
      ['POST', '/create_transaction', { ...order, amount: 'wrong' }],
      ['POST', '/create_transaction', JSON.stringify(order).slice(0, -1)],
      ['POST', '/check_transaction', { access_token, transaction_id: 'wrong' }],
      ['POST', '/cryptos', { access_token }],
      ['POST', '/get_info', { access_token: refresh_token }],
      ['POST', `/nowhere/${access_token}?access_token=${access_token}`, { access_token }],
    ];
    for (const [method, path, body] of legacy) await ask(method, path, {}, body);
    const { json: bought } = await ask('POST', '/refresh_token', {}, { refresh_token });
    expect(bought).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    await ask('POST', '/refresh_token', {}, { refresh_token });
    for (const headers of [{ 'x-api-key': key }, { 'x-api-key': `9${key}` }, { authorization: `Bearer ${key}` }]) {
      await ask('POST', '/casino/deposit_address', headers, deposit(entityId));
      await ask('GET', `/casino/deposits?entity_id=${key}&key=${key}`, headers);
    }
    await ask('GET', `/operator/entities?token=${token}`, { authorization: `Bearer ${token}` });
    await ask('POST', '/casino/deposit_address', { 'x-api-key': key }, deposit(entityId, 'carol'));
    const { messages } = (await ask('GET', '/operator/messages', bearer)).json as { messages: { link: string }[] };
    const link = messages[0]?.link ?? '';
    await fetch(link);
    await fetch(link, { method: 'POST' });
    const kept = await readFile(join(app.dataDir, 'secrets.key'), 'utf8');
    const first = await readFile(join(app.dataDir, 'first-start.txt'), 'utf8');
    const demonstrated = /^ {2}\d+:(\S+)$/m.exec(first)?.[1];
    const engine = /Engine token.*: +(\S+)/.exec(first)?.[1];
    await app.stop();
    const secrets = [
      ...[OPERATOR_TOKEN, token, engine, demonstrated, key.split(':')[1], webhookSecret, kept.trim()],
      ...[access_token, refresh_token, bought.access_token, bought.refresh_token, link.split('/').at(-1)],
      ...[
        'pa55word-of-a-url',
        '+15550100',
        'alice@mail.example',
        'payer@mail.example',
        new URL(app.database.url).password,
      ],
    ].map(String);
    expect(secrets.filter((secret) => secret.length < 8 && secret !== '')).toEqual([]);
    const said = app.out() + app.err();
    expect(lines().length).toBeGreaterThan(20);
    expect(secrets.filter((secret) => secret !== '' && said.includes(secret))).toEqual([]);
  }, 60_000);
});
