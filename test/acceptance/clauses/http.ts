import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type Casino,
  done,
  jsonType,
  newCasino,
  type Service,
  unique,
  validation,
  verdict,
} from '../harness/index.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const malformed = { status: 400, detail: 'Malformed JSON in request body' };

export const http = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  describe('X-Request-ID', () => {
    const requests = (): readonly Promise<{ headers: Headers; text: string }>[] => [
      casino.describe(),
      casino.call('GET', '/nowhere'),
      casino.call('GET', '/casino/deposit/abc'),
      casino.create({}),
      service.call('GET', '/casino/deposits'),
      service.operator('GET', '/operator/affiliates', undefined, 'no-token'),
    ];

    it('is a UUID on every response, and a new one each time', async () => {
      const ids = (await Promise.all(requests())).map(({ headers }) => headers.get('x-request-id') ?? '');
      for (const id of ids) expect(id).toMatch(uuid);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it("is the caller's own, echoed, and never in the body", async () => {
      const id = unique('my-request');
      const headers = { 'X-Request-ID': id };
      const answers = await Promise.all([
        casino.call('GET', '/casino/integration/key', { headers }),
        casino.call('GET', '/nowhere', { headers }),
        casino.call('POST', '/casino/deposit_address', { headers, json: {} }),
        service.call('GET', '/casino/deposits', { headers }),
      ]);
      for (const answer of answers) {
        expect(answer.headers.get('x-request-id')).toBe(id);
        expect(answer.text).not.toContain(id);
      }
    });
  });

  describe('an unknown path', () => {
    const notFound = async (method: string, path: string, json?: unknown) => {
      const { status, text, headers } = await casino.call(method, path, { json });
      return { method, path, status, text, type: headers.get('content-type')?.split(';')[0] };
    };

    it.each([
      ['POST', '/'],
      ['GET', '/casino'],
      ['GET', '/casino/deposit'],
      ['GET', '/casino/deposit/1/decline'],
      ['POST', '/casino/deposit/1/accept/now'],
      ['POST', '/nowhere'],
    ])('is 404 in plain text: %s %s', async (method, path) => {
      expect(await notFound(method, path)).toEqual({
        method,
        path,
        status: 404,
        text: '404 Not Found',
        type: 'text/plain',
      });
    });

    it.each([
      ['GET', '/casino/deposit_address'],
      ['PUT', '/casino/deposit_address'],
      ['POST', '/casino/deposits'],
      ['DELETE', '/casino/deposit/1'],
      ['POST', '/casino/deposit/1'],
      ['GET', '/casino/deposit/1/accept'],
      ['PATCH', '/casino/deposit/1/return'],
      ['GET', '/casino/deposit/1/freeze'],
      ['POST', '/casino/integration/key'],
      ['GET', '/casino/integration/test-webhook'],
    ])('is a known one with the wrong method: %s %s', async (method, path) => {
      expect(await notFound(method, path)).toEqual({
        method,
        path,
        status: 404,
        text: '404 Not Found',
        type: 'text/plain',
      });
    });

    it('needs no credential', async () => {
      expect(await service.call('GET', '/nowhere')).toMatchObject({ status: 404, text: '404 Not Found' });
    });
  });

  describe('a body', () => {
    const post = async (path: string, text: string, headers: Record<string, string> = jsonType) =>
      verdict(await casino.call('POST', path, { text, headers }));
    const withBodies = [
      '/casino/deposit_address',
      '/casino/deposit/1/accept',
      '/casino/deposit/1/return',
      '/casino/integration/test-webhook',
    ];

    it.each(withBodies)('that is no JSON is refused: %s', async (path) => {
      const own = await newCasino(service);
      for (const text of ['{', '{"a":}', "{'a':1}", '[1,', 'hello', '{"a":1}}', 'NaN', '']) {
        const answer = await own.call('POST', path, { text, headers: jsonType });
        expect({ text, ...verdict(answer) }).toEqual({ text, ...malformed });
      }
    });

    it.each(withBodies.slice(0, 3))('that is no object is a validation error: %s', async (path) => {
      for (const text of ['[]', '"text"', '1', 'null', 'true', '[{}]']) {
        expect({ text, ...(await post(path, text)) }).toEqual({ text, ...validation });
      }
    });

    it('may say its charset', async () => {
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      expect(await post('/casino/deposit_address', '{}', headers)).toEqual(validation);
    });

    it('is malformed before the id is wrong', async () => {
      expect(await post('/casino/deposit/abc/accept', '{')).toEqual(malformed);
      expect(await post('/casino/deposit/abc/return', '')).toEqual(malformed);
    });

    it('is malformed after the credential was refused', async () => {
      const answer = await service.call('POST', '/casino/deposit_address', { text: '{', headers: jsonType });
      expect(verdict(answer)).toEqual({ status: 401, detail: 'Token or API key missing' });
    });
  });

  describe('a body without the JSON content type', () => {
    it.each([{}, { 'Content-Type': 'text/plain' }])('is an empty one to create (%j)', async (headers) => {
      const text = JSON.stringify(casino.order(await casino.player()));
      const answer = await casino.call('POST', '/casino/deposit_address', { text, headers });
      expect(verdict(answer)).toEqual({ status: 404, detail: 'Entity not found for this affiliate' });
    });

    it('is an empty one to return: its gates, then 500, and nothing is recorded', async () => {
      const deposit = await casino.deposit();
      const call = { text: JSON.stringify({ return_address: 'x' }) };
      expect(verdict(await deposit.return(call))).toMatchObject({ status: 409, code: 'ofac_screen_pending' });
      await deposit.settle();
      expect(verdict(await deposit.return(call))).toEqual({ status: 500, detail: 'Failed to process return' });
      expect(await deposit.read()).toMatchObject({ decision: 'pending', decision_at: null, return_address: null });
      expect(verdict(await deposit.return())).toMatchObject({ status: 200 });
    });

    it('is an empty one to accept: an ordinary accept', async () => {
      const text = JSON.stringify({ adjust_to_received: true });
      const less = await (await casino.deposit()).settle({ amount: '0.00199999' });
      expect(verdict(await less.accept({ text }))).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/^Amount mismatch/),
      });
      const exact = await (await casino.deposit()).settle();
      expect(verdict(await exact.accept({ text }))).toMatchObject({ status: 200, adjusted: false });
    });

    it('is not looked at: no JSON, and still no error of it', async () => {
      expect(verdict(await casino.call('POST', '/casino/deposit_address', { text: '{' }))).toEqual({
        status: 404,
        detail: 'Entity not found for this affiliate',
      });
    });
  });

  describe('a body of an operator without the JSON content type', () => {
    const untyped = (method: string, path: string, text: string, headers: Record<string, string> = {}) =>
      service.call(method, path, {
        headers: { Authorization: `Bearer ${service.access().operatorToken}`, ...headers },
        text,
      });

    it('is refused, and nothing is done by defaults', async () => {
      const entity = `/operator/entities/${casino.entityId}`;
      const tokens = `/operator/affiliates/${casino.affiliateId}/access-tokens`;
      const held = async () => [
        done(await service.operator('GET', entity)),
        done(await service.operator('GET', tokens)),
      ];
      const before = await held();
      for (const answer of [
        await untyped('POST', `${entity}/webhook-secret`, '{"overlap_s":0}'),
        await untyped('POST', tokens, '{"expires_at":"2020-01-01T00:00:00Z"}'),
        await untyped('POST', '/operator/projections/deposits/rebuild', '{"mode":"check"}'),
        await untyped('PATCH', entity, '{"status":"disabled"}'),
        await untyped('POST', '/engine/signals', '{"signals":[]}'),
      ])
        expect(answer).toMatchObject({ status: 415, body: { code: 'content_type_unsupported' } });
      expect(await held()).toEqual(before);
    });

    it('is none where nothing was sent', async () => {
      const tokens = `/operator/affiliates/${casino.affiliateId}/access-tokens`;
      for (const type of [{}, { 'Content-Type': 'text/plain' }])
        expect((await untyped('POST', tokens, '', type)).status).toBe(201);
    });
  });

  describe('what means nothing', () => {
    const told = ({ status, headers }: Answer) => [
      status,
      headers.get('x-ignored-fields'),
      headers.get('x-ignored-body'),
    ];

    it('is ignored in a body and in a query, and told by name', async () => {
      const order = casino.order(await casino.player(), { amount_in_crypto: true });
      expect(told(await casino.create(order))).toEqual([200, 'amount_in_crypto', null]);
      const refused = await casino.create({ ...order, amount: '1' });
      expect(told(refused)).toEqual([400, 'amount_in_crypto', null]);
      expect(told(await casino.list(`?entity_id=${casino.entityId}&Limit=1`))).toEqual([200, 'Limit', null]);
      expect(told(await casino.list(`?entity_id=${casino.entityId}&limit=1`))).toEqual([200, null, null]);
      expect(told(await casino.call('GET', '/casino/integration/key?pretty'))).toEqual([200, 'pretty', null]);
    });

    it('may be a whole body, and is told with the reason', async () => {
      const order = JSON.stringify(casino.order(await casino.player()));
      const untyped = await casino.call('POST', '/casino/deposit_address', { text: order });
      expect(told(untyped)).toEqual([404, null, expect.stringMatching(/Content-Type/)]);
      const deposit = await casino.deposit();
      const freeze = await casino.call('POST', `/casino/deposit/${deposit.id}/freeze`, { json: { reason: 'x' } });
      expect(told(freeze)).toEqual([409, null, expect.stringMatching(/./)]);
    });
  });

  describe('an error', () => {
    it('has a code where it has one reading, beside its detail', async () => {
      const { order } = casino;
      const answers = await Promise.all([
        service.call('GET', '/casino/deposits'),
        casino.call('POST', '/casino/deposit_address', { text: '{', headers: jsonType }),
        casino.call('GET', '/casino/deposit/abc'),
        casino.call('GET', '/casino/deposit/999999999999'),
        casino.create(order({ gambler_ref: 'x', phone: '1' }, { entity_id: 999_999_999 })),
        casino.call('POST', '/casino/integration/test-webhook', { json: { entity_id: casino.entityId, event: 'x' } }),
      ]);
      expect(answers.map(({ body: { code } }) => code)).toEqual([
        ...['credential_missing', 'json_malformed', 'deposit_id_invalid', 'deposit_not_found', 'entity_not_found'],
        'event_unknown',
      ]);
    });
  });

  describe('a deposit id', () => {
    const bad = ['abc', '1.5', '-1', '+1', '0x10', '1e3', '%201', '1%20', '%EF%BC%91', '1,000', '1n'];

    it.each(bad)('is ASCII digits only: %s', async (id) => {
      const path = `/casino/deposit/${id}`;
      const answers = await Promise.all([
        casino.call('GET', path),
        casino.call('POST', `${path}/accept`),
        casino.call('POST', `${path}/return`, { json: { return_address: 'x' } }),
        casino.call('POST', `${path}/freeze`),
      ]);
      const invalid = { status: 400, detail: 'Invalid deposit ID' };
      expect(answers.map(verdict)).toEqual([invalid, invalid, invalid, invalid]);
    });

    it('is looked at after the body', async () => {
      const accept = await casino.call('POST', '/casino/deposit/abc/accept', { json: { adjust_to_received: 'true' } });
      expect(verdict(accept)).toEqual(validation);
      const refund = await casino.call('POST', '/casino/deposit/abc/return', { json: { return_address: '' } });
      expect(verdict(refund)).toEqual(validation);
    });
  });
};
