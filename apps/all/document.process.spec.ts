import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { httpErrors } from '#door/errors';
import { OWN_MISFIT, OWN_UNREADABLE, resolved, type Schemas } from '#door/openapi';
import {
  answerBody,
  bodiesOf,
  isForPartners,
  misfits,
  type Named,
  namesIn,
  refsIn,
  routesOf,
  schemasBelow,
  target,
  webhooksOf,
} from '#door/openapi/testing';
import { samplePayload, webhookEvents } from '#webhooks';
import { appPerFile } from './testing/app-per-file.ts';
import { firstKey } from './testing/run-app.ts';

const OPERATOR_TOKEN = 'an-operator-who-reads-the-document';

const app = appPerFile({ OPERATOR_TOKEN, ENGINE: 'external', DEMO: 'true' });
let document: OpenAPIObject;
let schemas: Schemas;
let routes: Named[];

beforeAll(async () => {
  document = (await (await fetch(`${app.url}/openapi.json`)).json()) as OpenAPIObject;
  schemas = document.components?.schemas ?? {};
  routes = routesOf(document);
});

const statusesOf = ({ operation }: Named): number[] => Object.keys(operation.responses).map(Number);
const missing = (statuses: readonly number[]) => (route: Named) =>
  statuses.filter((status) => !statusesOf(route).includes(status)).map((status) => `${route.name} ${status}`);
const queryOf = ({ operation }: Named) =>
  (operation.parameters ?? []).filter((parameter) => 'in' in parameter && parameter.in === 'query');
const route = (name: string): Named => {
  const found = routes.find((one) => one.name === name);
  if (!found) throw new Error(`the document has no ${name}`);
  return found;
};

describe('every operation of the document', () => {
  const all = () => [...routes, ...webhooksOf(document)];

  it('has a name of its own, a summary, a tag, and says who may call it', () => {
    const ids = all().map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => !id || ids.indexOf(id) !== index)).toEqual([]);
    const untold = all().filter(({ operation: { summary, tags, security } }) => !(summary && tags?.[0] && security));
    expect(untold.map(({ name }) => name)).toEqual([]);
    const schemes = Object.keys(document.components?.securitySchemes ?? {});
    const used = all().flatMap(({ operation }) => (operation.security ?? []).flatMap((one) => Object.keys(one)));
    expect(used.filter((name) => !schemes.includes(name))).toEqual([]);
  });

  it('declares the parameters of its path, and no other ones', () => {
    for (const { name, path, operation } of routes) {
      const declared = (operation.parameters ?? []).flatMap((one) => ('in' in one && one.in === 'path' ? [one] : []));
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, word]) => word);
      expect([name, declared.map((one) => one.name).toSorted()]).toEqual([name, inPath.toSorted()]);
      expect([name, declared.every(({ required, schema }) => required && schema)]).toEqual([name, true]);
    }
  });

  /** What is streamed, line by line. */
  const isFile = ({ operation }: (typeof routes)[number], status: number): boolean =>
    JSON.stringify(operation.responses[status]).includes('application/x-ndjson');

  it('shows an example of every refusal, and examples that fit their schemas', () => {
    const bodies = all().flatMap(bodiesOf);
    expect(bodies.filter(({ examples }) => examples.length === 0).map(({ where }) => where)).toEqual([]);
    const wrong = bodies.flatMap(({ where, schema, examples }) =>
      examples.flatMap((example) => misfits(schema, example, schemas).map((what) => `${where}: ${what}`)),
    );
    expect(wrong).toEqual([]);
    const bare = routes.flatMap((one) =>
      statusesOf(one)
        .filter((status) => status !== 204 && !answerBody(one, status) && !isFile(one, status))
        .map((status) => `${one.name} ${status}`),
    );
    expect(bare).toEqual([]);
  });

  it('carries its request id on every answer', () => {
    const without = routes.flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([, response]) => !refsIn(response).includes('#/components/headers/X-Request-ID'))
        .map(([status]) => `${name} ${status}`),
    );
    expect(without).toEqual([]);
  });
});

describe('the document', () => {
  it('leads nowhere that it does not have', () => {
    expect(refsIn(document).filter((ref) => target(document, ref) === undefined)).toEqual([]);
  });

  it('is written in the words of OpenAPI 3.1', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Cointill', version: expect.any(String) } });
    expect(JSON.stringify(document)).not.toMatch(/"nullable":|"bearerFormat":/);
    const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
    for (const [name, schema] of Object.entries(schemas)) {
      const { properties = {}, required = [] } = resolved(schema, schemas);
      expect([name, required.filter((word) => !properties[word])]).toEqual([name, []]);
      const words = Object.values(properties).flatMap((property) => ('type' in property ? [property.type].flat() : []));
      expect([name, words.filter((word) => word !== undefined && !types.includes(word))]).toEqual([name, []]);
    }
  });

  it('describes every field that partners send, are answered or are told', () => {
    const bodies = schemasBelow(document, [...routes.filter(isForPartners), ...webhooksOf(document)]);
    const untold = [...bodies].flatMap((name) =>
      Object.entries(resolved({ $ref: name }, schemas).properties ?? {})
        .filter(([, property]) => !('description' in property && property.description))
        .map(([field]) => `${name}.${field}`),
    );
    expect(untold).toEqual([]);
  });

  it('lists what any body and any query may be refused with', () => {
    const writing = routes.filter(({ method }) => method !== 'get');
    expect(writing.flatMap(missing([413, 415]))).toEqual([]);
    // The older interface names a 401 where others have a 400.
    expect(writing.filter(({ operation }) => !(OWN_UNREADABLE in operation)).flatMap(missing([400]))).toEqual([]);
    expect(routes.filter((one) => queryOf(one).length > 0).flatMap(missing([400]))).toEqual([]);
    const validated = routes.filter((one) => one.operation.requestBody || queryOf(one).length > 0);
    const byTheRules = validated.filter(({ operation }) => !(OWN_MISFIT in operation));
    const bodyless = byTheRules.filter((one) => !JSON.stringify(answerBody(one, 400)?.examples).includes('ZodError'));
    expect(bodyless.map(({ name }) => name)).toEqual([]);
    expect(routes.filter((one) => !isForPartners(one)).flatMap(missing([401, 403, 500]))).toEqual([]);
    const create = route('POST /casino/deposit_address');
    expect(missing([400, 401, 403, 404, 409, 413, 422, 500, 502, 503])(create)).toEqual([]);
    for (const name of ['GET /casino/deposits', 'GET /operator/deposits', 'POST /engine/signals'])
      expect(missing([503])(route(name))).toEqual([]);
  });

  it('has a code for every error with one reading, and the page of errors has them all', async () => {
    const detailed = routes
      .flatMap(bodiesOf)
      .flatMap(({ where, examples }) =>
        examples.map((example) => ({ status: where.split(' ')[2], ...Object(example) })),
      )
      .filter(({ detail }) => detail !== undefined);
    const several = detailed.filter(({ code }) => code === undefined).map(({ detail }) => detail);
    expect([...new Set(several)].toSorted()).toEqual([
      ...['Failed to accept deposit', 'Failed to create casino deposit', 'Failed to create transaction'],
      ...['Failed to process return', 'Internal server error', 'Invalid or expired token'],
    ]);
    const page = await readFile(join(import.meta.dirname, '../../docs/reference/errors.md'), 'utf8');
    const listed = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => `${status} ${code}`);
    const told = detailed.filter(({ code }) => code).map(({ status, code }) => `${status} ${code}`);
    const ofAnyCall = Object.values(httpErrors).map((error) => {
      const { status, body } = error('x' as never);
      return `${status} ${Object(body).code}`;
    });
    expect(new Set(listed)).toEqual(new Set([...told, ...ofAnyCall.filter((error) => !error.endsWith(' undefined'))]));
  });

  it('tells of the limit of the test call on each of its answers', () => {
    const { operation } = route('POST /casino/integration/test-webhook');
    for (const [status, response] of Object.entries(operation.responses)) {
      const limited = refsIn(response).filter((ref) => ref.includes('X-RateLimit-')).length;
      expect([status, limited]).toEqual([status, status === '401' ? 0 : 3]);
    }
    expect(refsIn(operation.responses[429])).toContain('#/components/headers/Retry-After');
  });
});

describe('what really comes', () => {
  const json = { 'content-type': 'application/json' };
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const bodies = { ...json, ...operator };

  type Init = { readonly headers: Record<string, string>; readonly body?: string };

  /** Asks, and holds the answer against what the document says of its status. */
  const asked = async (name: string, init: Init, ids: Record<string, unknown> = {}) => {
    const [method = '', path = ''] = name.split(' ');
    const place = Object.entries(ids).reduce((text, [word, value]) => text.replace(`{${word}}`, String(value)), path);
    const [known = ''] = path.split('?');
    const response = await fetch(app.url + place, { method, ...init });
    const body: unknown = await response.json();
    const told = answerBody(route(`${method} ${known}`), response.status);
    if (!told) throw new Error(`${name} answered ${response.status}, which is not told`);
    const names = namesIn(told.schema, schemas);
    const untold = Object.keys(Object(body)).filter((field) => !names.has(field));
    expect({ name, body, misfits: [...misfits(told.schema, body, schemas), ...untold] }).toEqual({
      name,
      body,
      misfits: [],
    });
    expect(response.headers.get('x-request-id')).not.toBeNull();
    return { status: response.status, headers: response.headers, body: Object(body) };
  };

  it.each([
    ['POST /operator/affiliates', 400, { headers: bodies, body: '{}' }],
    ['POST /operator/affiliates', 400, { headers: bodies, body: '{' }],
    ['POST /operator/affiliates', 401, { headers: json, body: '{}' }],
    ['POST /operator/affiliates', 413, { headers: bodies, body: ' '.repeat(2 ** 21) }],
    ['POST /operator/affiliates', 415, { headers: { ...bodies, 'content-encoding': 'gzip' }, body: '{}' }],
    ['POST /operator/affiliates', 415, { headers: { ...operator, 'content-type': 'text/plain' }, body: '{}' }],
    ['POST /engine/signals', 415, { headers: { ...operator, 'content-type': 'text/plain' }, body: '{"signals":[]}' }],
    ['POST /operator/api-keys', 404, { headers: bodies, body: '{"affiliate_id":999}' }],
    ['GET /health/live', 200, { headers: {} }],
    ['GET /health/ready', 200, { headers: {} }],
    ['GET /operator/deposits?entity_id=x', 400, { headers: operator }],
    ['GET /operator/projections', 200, { headers: operator }],
    ['GET /operator/audit-trail', 200, { headers: operator }],
    ['GET /operator/entities', 200, { headers: operator }],
    ['GET /operator/address-pool', 200, { headers: operator }],
    ['POST /engine/signals', 400, { headers: bodies, body: '{}' }],
    ['POST /casino/deposit_address', 401, { headers: { ...json, 'x-api-key': 'x:y' }, body: '{}' }],
    ['POST /casino/deposit_address', 403, { headers: bodies, body: '{}' }],
    ['GET /casino/integration/key', 400, { headers: operator }],
  ])('%s answers %d as the document says', async (name, status, init) => {
    expect((await asked(name, init)).status).toBe(status);
  });

  it('is told for the main job of a partner, and for its refusals', async () => {
    const key = await firstKey(app.dataDir);
    const partner = { 'x-api-key': key };
    const post = (body: unknown, more = {}) => ({
      headers: { ...json, ...partner, ...more },
      body: JSON.stringify(body),
    });
    const described = await asked('GET /casino/integration/key', { headers: partner });
    const entity_id: number = described.body.entities[0].id;
    const player = { entity_id, gambler_ref: 'p-1', phone: '+15550100' };
    const deposit = { ...player, currency: 'BTC', amount: 100 };
    const create = 'POST /casino/deposit_address';
    expect((await asked(create, post(deposit))).body.status).toBe('kyc_required');
    await asked('PUT /operator/players', { headers: bodies, body: JSON.stringify({ ...player, kyc: 'verified' }) });
    expect((await asked(create, post(deposit))).status).toBe(502);
    await asked('PUT /operator/rates/{ticker}', { headers: bodies, body: '{"usd":"60000"}' }, { ticker: 'BTC' });
    const keyed = { 'idempotency-key': 'k' };
    const { body: made } = await asked(create, post(deposit, keyed));
    expect(made.status).toBe('ok');
    expect((await asked(create, post({ ...deposit, amount: 1 }, keyed))).status).toBe(422);
    expect((await asked(create, post(deposit, { 'idempotency-key': 'x'.repeat(256) }))).status).toBe(400);
    expect((await asked(create, post({ ...deposit, amount: '1' }))).body.error.name).toBe('ZodError');
    const id = { id: made.deposit_id };
    expect((await asked('GET /casino/deposit/{id}', { headers: partner }, id)).body.id).toBe(made.deposit_id);
    expect((await asked(`GET /casino/deposits?entity_id=${entity_id}`, { headers: partner })).body.total).toBe(1);
    expect((await asked('POST /casino/deposit/{id}/accept', { headers: partner }, id)).status).toBe(409);
    expect((await asked('POST /casino/deposit/{id}/accept', post({ adjust_to_received: 1 }), id)).status).toBe(400);
    expect((await asked('POST /casino/deposit/{id}/return', post({ return_address: 'a' }), id)).body.code).toBe(
      'ofac_screen_pending',
    );
    expect((await asked('POST /casino/deposit/{id}/freeze', { headers: partner }, { id: 'x' })).status).toBe(400);
    await asked('GET /operator/deposits/{id}/events', { headers: operator }, id);
    await asked('GET /operator/deposits/{id}?revision=0', { headers: operator }, id);
    const tried = await asked('POST /casino/integration/test-webhook', post({ entity_id, event: 'kyt_complete' }));
    expect([tried.status, tried.headers.get('x-ratelimit-remaining')]).toEqual([409, '9']);
  });
});

describe('the webhooks of the document', () => {
  it('are the events of the interface', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual([...webhookEvents]);
  });

  it.each(webhookEvents)('%s has the keys of its test payload, and their types', (event) => {
    const webhook = webhooksOf(document).find(({ path }) => path === event);
    const [body] = webhook ? bodiesOf(webhook) : [];
    if (!body) throw new Error(`${event} is not told`);
    for (const externalCode of ['aurora', null]) {
      const payload = samplePayload(event, { id: 3, externalCode }, '2026-03-01T12:00:00.000Z');
      expect(misfits(body.schema, payload, schemas)).toEqual([]);
      const names = namesIn(body.schema, schemas);
      // A late deposit alone has the last one.
      const told = new Set([...Object.keys(payload), ...(names.has('late_payment') ? ['late_payment'] : [])]);
      expect(names).toEqual(told);
    }
  });
});
