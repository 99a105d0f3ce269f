import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSimulate, startSimulation } from '#engine';
import { engineTables, openTestEngine, type TestEngine, until } from '#engine/testing';
import { silentLogger } from '#platform/logging';
import { type FreshDatabase, freshDatabase } from '../../test/support/database.ts';
import { type ServedEngine, serveEngine } from './testing/serve-engine.ts';

let database: FreshDatabase;
let engine: TestEngine;
let served: ServedEngine;
let external: ServedEngine;

beforeAll(async () => {
  database = await freshDatabase(...engineTables);
  engine = await openTestEngine(database.url);
  const { pool, log, takeSignals } = engine;
  served = await serveEngine({ takeSignals, simulate: createSimulate({ pool, log, stepMs: 0 }) });
  external = await serveEngine({ takeSignals, simulate: null });
});

afterAll(async () => {
  await Promise.all([served.app.close(), external.app.close()]);
  await engine.close();
  await database.drop();
});

type Call = { readonly role?: string; readonly body?: unknown; readonly at?: ServedEngine };

const call = async (method: string, path: string, { role = 'admin', body, at = served }: Call = {}) => {
  const response = await fetch(at.url + path, {
    method,
    headers: { authorization: `Bearer ${role}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

const at = '2026-03-01T12:00:00Z';
const seen = (deposit_id: number, signal_id: string) => ({
  signal_id,
  deposit_id,
  type: 'payment.seen',
  at,
  txid: `tx-${deposit_id}`,
  amount: '2',
});

describe('POST /engine/signals', () => {
  it('answers each signal in the order sent', async () => {
    await engine.issue(1, { now: at });
    const signals = [seen(1, 'a-1'), { signal_id: 'a-2' }, 7, seen(1, 'a-1')];
    expect(await call('POST', '/engine/signals', { role: 'engine', body: { signals } })).toEqual({
      status: 200,
      body: {
        results: [
          { signal_id: 'a-1', outcome: 'applied', detail: null },
          { signal_id: 'a-2', outcome: 'rejected', detail: 'type is missing' },
          { signal_id: null, outcome: 'rejected', detail: 'a signal has to be a JSON object' },
          { signal_id: 'a-1', outcome: 'duplicate', detail: null },
        ],
      },
    });
  });

  it('takes an empty list, and 500 signals', async () => {
    expect(await call('POST', '/engine/signals', { body: { signals: [] } })).toEqual({
      status: 200,
      body: { results: [] },
    });
    await engine.issue(2, { now: at });
    const signals = Array.from({ length: 500 }, (_, nth) => seen(2, `b-${nth}`));
    const { status, body } = await call('POST', '/engine/signals', { body: { signals } });
    const outcomes = (body as { results: { outcome: string }[] }).results.map(({ outcome }) => outcome);
    expect([status, outcomes.length, outcomes[0], new Set(outcomes.slice(1))]).toEqual([
      200,
      500,
      'applied',
      new Set(['ignored']),
    ]);
  });

  it.each([
    ['no body', undefined, 'Required'],
    ['a list alone', [], 'Expected object, received array'],
    ['no list', {}, 'Required'],
    ['null', { signals: null }, 'Expected array, received null'],
    ['an object', { signals: {} }, 'Expected array, received object'],
    ['501 signals', { signals: Array(501).fill(null) }, 'must hold no more than 500 signals'],
  ])('refuses %s with 400', async (_, body, message) => {
    const answer = await call('POST', '/engine/signals', { body });
    expect(answer).toMatchObject({ status: 400, body: { success: false, error: { name: 'ZodError' } } });
    expect(JSON.stringify(answer.body)).toContain(message);
  });

  it('refuses malformed JSON, and what would change a prototype', async () => {
    for (const body of ['{"signals": [', '{"signals": [{"__proto__": {}}]}'])
      expect((await call('POST', '/engine/signals', { body })).status).toBe(400);
  });

  it.each([
    ['ops', 403],
    ['auditor', 403],
    ['nobody', 401],
  ])('is closed to %s', async (role, status) => {
    expect((await call('POST', '/engine/signals', { role, body: {} })).status).toBe(status);
  });

  it('answers 503 while a store does not answer', async () => {
    const broken = await openTestEngine(database.url, {
      applySignals: async () => {
        throw Object.assign(new Error('nobody there'), { code: 'ECONNREFUSED' });
      },
    });
    const { app, url } = await serveEngine({
      takeSignals: broken.takeSignals,
      simulate: null,
    });
    const body = { signals: [seen(1, 'c-1')] };
    expect(await call('POST', '/engine/signals', { body, at: { app, url } })).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('Send the same call again'), code: 'signals_not_taken' },
    });
    await app.close();
    await broken.close();
  });
});

describe('/engine/simulate', () => {
  it('plays a deposit from the payment to the confirmation', async () => {
    await engine.issue(4);
    const { pool, applySignals, legacy } = engine;
    const applyToTransaction = legacy.applySignals;
    const simulation = startSimulation({ pool, applySignals, applyToTransaction, logger: silentLogger, everyMs: 5 });
    const body = { deposit_id: 4, scenario: 'paid' };
    expect(await call('POST', '/engine/simulate', { role: 'ops', body })).toMatchObject({
      status: 202,
      body: {
        deposit_id: 4,
        scenario: 'paid',
        steps: ['payment.seen', 'kyt.completed', 'ofac.completed', 'payment.confirmed'].map((type) => ({ type })),
      },
    });
    await until('it is confirmed', async () => (await engine.eventsOf(4)).at(-1)?.type === 'PaymentConfirmed');
    await simulation.stop();
  });

  it('says what it can play, to auditors too', async () => {
    const { body } = await call('GET', '/engine/simulate', { role: 'auditor' });
    expect((body as { scenarios: unknown[] }).scenarios).toContainEqual({
      name: 'sanctioned',
      sentence: 'A sender is on the OFAC list: the deposit is frozen.',
    });
  });

  it.each([
    [{ deposit_id: 987_654, scenario: 'paid' }, 404],
    [{ deposit_id: 4, scenario: 'toString' }, 400],
    [{ deposit_id: '4', scenario: 'paid' }, 400],
    [{ deposit_id: 4, scenario: 'paid', amount: 1 }, 400],
    [{ deposit_id: 4, scenario: 'paid', amount: '0' }, 400],
    [{ deposit_id: 4, scenario: 'paid', confirm: 'no' }, 400],
    [{ deposit_id: 4, scenario: 'settle' }, 409],
  ])('refuses %j', async (body, status) => {
    expect((await call('POST', '/engine/simulate', { body })).status).toBe(status);
  });

  it('is closed to auditors, and where the engine is not simulated', async () => {
    const body = { deposit_id: 4, scenario: 'paid' };
    expect((await call('POST', '/engine/simulate', { role: 'auditor', body })).status).toBe(403);
    expect(await call('POST', '/engine/simulate', { body, at: external })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('ENGINE=simulated'), code: 'engine_not_simulated' },
    });
  });
});

describe('the OpenAPI document', () => {
  it('shows the routes of the engine with what they may refuse', async () => {
    const { body } = await call('GET', '/openapi.json');
    const paths = (body as { paths: Record<string, Record<string, { responses: object }>> }).paths;
    expect(Object.keys(paths['/engine/signals']?.post?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '503']),
    );
    expect(Object.keys(paths)).toContain('/engine/simulate');
  });
});
