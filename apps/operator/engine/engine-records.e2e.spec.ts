import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { knowingOperators } from '#door/access';
import { createHttpApp, listen } from '#door/http';
import { engineProjections, openReturnReads } from '#engine';
import { engineTables, openTestEngine, type TestEngine, until } from '#engine/testing';
import { operatorByRole } from '#partners/testing';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { engineRecordRoutes } from './engine-records.controller.ts';

let database: FreshDatabase;
let engine: TestEngine;
let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  database = await freshDatabase(...engineTables);
  engine = await openTestEngine(database.url);
  const { log, pool } = engine;
  const records = engineRecordRoutes({ pool, returns: openReturnReads({ pool, log, patienceMs: 200 }) });
  app = await createHttpApp([knowingOperators(operatorByRole), records], {
    logger: silentLogger,
    metrics: createMetrics(),
  });
  url = await listen(app, { host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await app.close();
  await engine.close();
  await database.drop();
});

const ask = async (path: string, role = 'admin') => {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${role}` } });
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

describe('GET /operator/signals', () => {
  it('shows rejected signals and why, to auditors too, and not to the engine', async () => {
    await engine.issue(3, { now: at });
    const unknown = { ...seen(3, 'd-1'), type: 'payment.dropped' };
    await engine.takeSignals([unknown, seen(3, 'd-2')], 'operator token 3');
    const path = '/operator/signals?deposit_id=3&outcome=rejected';
    expect(await ask(path, 'auditor')).toEqual({
      status: 200,
      body: {
        signals: [
          {
            signal_id: 'd-1',
            deposit_id: 3,
            transaction_id: null,
            type: 'payment.dropped',
            at: '2026-03-01T12:00:00.000Z',
            outcome: 'rejected',
            detail: 'the payment was never seen',
            taken_at: expect.any(String),
            taken_by: 'operator token 3',
            payload: unknown,
          },
        ],
        next_cursor: null,
      },
    });
    expect((await ask(path, 'engine')).status).toBe(403);
    expect((await ask('/operator/signals?outcome=lost')).status).toBe(400);
  });

  it('is read page by page', async () => {
    await engine.issue(2, { now: at });
    await engine.takeSignals(
      Array.from({ length: 500 }, (_, nth) => seen(2, `b-${nth}`)),
      'operator token 3',
    );
    const first = await ask('/operator/signals?deposit_id=2&limit=300');
    const { signals, next_cursor } = first.body as { signals: unknown[]; next_cursor: string };
    const second = await ask(`/operator/signals?deposit_id=2&limit=300&cursor=${next_cursor}`);
    const rest = second.body as { signals: unknown[]; next_cursor: null };
    expect([signals.length, rest.signals.length, rest.next_cursor]).toEqual([300, 200, null]);
  });
});

describe('GET /operator/returns', () => {
  it('is refused while its read model stands still, and shown all the same to whoever asks for what is old', async () => {
    await engine.issue(4, { now: at });
    const { status, body } = await ask('/operator/returns');
    expect([status, body]).toMatchObject([503, { code: 'list_behind' }]);
    expect(await ask('/operator/returns?stale=allow')).toEqual({
      status: 200,
      body: { returns: [], next_cursor: null },
    });
  });

  it('lists the queue', async () => {
    for (const { projection } of engineProjections) engine.project(projection);
    await until('its read model has caught up', async () => (await ask('/operator/returns')).status === 200);
    await engine.pool.query(
      `INSERT INTO returns (return_id, deposit_id, entity_id, currency, address, amount, state, queued_at)
       VALUES (5, 9, 3, 'LTC', 'home', 2.50, 'queued', '${at}')`,
    );
    expect(await ask('/operator/returns?state=queued', 'auditor')).toEqual({
      status: 200,
      body: {
        returns: [
          {
            return_id: 5,
            deposit_id: 9,
            entity_id: 3,
            currency: 'LTC',
            address: 'home',
            amount: '2.50',
            state: 'queued',
            held_because: null,
            unfunded_because: null,
            last_txid: null,
            queued_at: '2026-03-01T12:00:00.000Z',
          },
        ],
        next_cursor: null,
      },
    });
    expect((await ask('/operator/returns?state=held')).body).toMatchObject({ returns: [] });
    expect((await ask('/operator/returns?unfunded=true')).body).toMatchObject({ returns: [] });
    const dated = { returns: [{ return_id: 5 }], as_of: expect.any(String) };
    expect((await ask('/operator/returns?stale=allow')).body).toMatchObject(dated);
    expect((await ask('/operator/returns', 'engine')).status).toBe(403);
  });
});
