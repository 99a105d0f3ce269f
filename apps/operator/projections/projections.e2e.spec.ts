import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type pg from 'pg';
import { knowingOperators } from '#door/access';
import { createHttpApp, healthRoutes, listen, metricsRoutes } from '#door/http';
import type { EventLog } from '#event-log';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { migrations as partnersMigrations } from '#partners';
import { operatorByRole } from '#partners/testing';
import { createHealth } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import {
  addToRow,
  migrations,
  type Projection,
  type Projections,
  registerProjectionGauges,
  startProjections,
  stopWaiting,
  waitForPosition,
} from '#read-models';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { projectionRoutes } from './projections.controller.ts';

const counts: Projection = {
  name: 'counts',
  version: 3,
  project: ({ type }) => [addToRow('counts', { type }, { times: 1 })],
};

let database: FreshDatabase;
let pool: pg.Pool;
let log: EventLog;
let projections: Projections;
let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  database = await freshDatabase();
  for (const each of [logMigrations, migrations, partnersMigrations]) await migrate(database.url, each);
  pool = createPool({ url: database.url, applicationName: 'test', logger: silentLogger });
  await pool.query('CREATE TABLE counts (type text PRIMARY KEY, times integer NOT NULL)');
  log = await openPostgresEventLog({ databaseUrl: database.url });
  projections = startProjections({
    projections: [{ projection: counts, tables: ['counts'] }],
    ...{ log, pool, logger: silentLogger },
  });
  const [health, metrics] = [createHealth(), createMetrics()];
  registerProjectionGauges(metrics.registry, projections);
  const imports = [
    healthRoutes(health),
    metricsRoutes(metrics),
    knowingOperators(operatorByRole),
    projectionRoutes(projections),
  ];
  app = await createHttpApp(imports, { logger: silentLogger, metrics });
  url = await listen(app, { host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await app.close();
  await projections.stop();
  await stopWaiting(pool);
  await log.close();
  await pool.end();
  await database.drop();
});

const ask = async (method: string, path: string, role: string, sent?: object) => {
  const headers = { authorization: `Bearer ${role}`, ...(sent && { 'content-type': 'application/json' }) };
  const response = await fetch(`${url}${path}`, { method, headers, body: sent ? JSON.stringify(sent) : null });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const list = () => ask('GET', '/operator/projections', 'auditor');
const rebuild = (name: string, role = 'ops') => ask('POST', `/operator/projections/${name}/rebuild`, role);

const append = async () => {
  const metadata = { occurredAt: '2026-01-01T00:00:00.000Z' };
  const { position } = await log.append('deposit-1', 'any', [
    { id: crypto.randomUUID(), type: 'PaymentSeen', data: {}, metadata },
  ]);
  expect(await waitForPosition({ ...counts, pool, position, withinMs: 5_000 })).toBe(true);
  return position;
};

const untilLive = async () => {
  for (;;) {
    const { body } = await list();
    if (!JSON.stringify(body).includes('rebuilding')) return body;
  }
};

describe('GET /operator/projections', () => {
  it('shows how every read model stands', async () => {
    const position = await append();
    expect(await list()).toEqual({
      status: 200,
      body: {
        projections: [
          {
            ...{ name: 'counts', version: 3, position, head: position, lag_events: 0, lag_ms: 0 },
            ...{
              state: 'live',
              progress: null,
              rebuild: null,
              stopped: false,
              failure: null,
              damaged_streams: 0,
              damage: [],
            },
            owner: { address: expect.any(String), since: expect.any(String) },
          },
        ],
      },
    });
  });

  it.each([
    ['admin', 200],
    ['ops', 200],
    ['auditor', 200],
    ['engine', 403],
    ['nobody', 401],
  ])('for %s: %i', async (role, status) => {
    expect((await ask('GET', '/operator/projections', role)).status).toBe(status);
  });

  it('and /metrics says the same in numbers', async () => {
    await append();
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('projection_lag_seconds{projection="counts"} 0');
    expect(text).toContain('projection_caught_up{projection="counts"} 1');
    expect(text).toContain('projection_stopped{projection="counts"} 0');
    expect(text).toContain('projection_owner{projection="counts"} 1');
  });
});

describe('POST /operator/projections/{name}/rebuild', () => {
  it('begins a rebuild, refuses a second one while it runs, and is recorded with its operator', async () => {
    await append();
    const before = (await pool.query('SELECT * FROM counts')).rows;
    const reader = await pool.connect();
    await reader.query('BEGIN; SELECT FROM counts');
    expect(await rebuild('counts')).toEqual({ status: 202, body: { name: 'counts', state: 'rebuilding' } });
    expect(await rebuild('counts')).toEqual({
      status: 409,
      body: { detail: 'A rebuild of this projection is already running', code: 'rebuild_running' },
    });
    expect((await list()).body).toMatchObject({
      projections: [{ state: 'rebuilding', progress: expect.any(Number), lag_events: 0 }],
    });
    await reader.query('ROLLBACK');
    reader.release();
    expect(await untilLive()).toMatchObject({ projections: [{ state: 'live', progress: null }] });
    expect((await pool.query('SELECT * FROM counts')).rows).toEqual(before);
    const { rows } = await pool.query('SELECT actor, action, subject, subject_id FROM audit_trail');
    expect(rows).toEqual([
      { actor: 'operator token 1', action: 'changed', subject: 'projection', subject_id: 'counts' },
    ]);
  });

  it('knows no other names', async () => {
    expect(await rebuild('nothing')).toEqual({
      status: 404,
      body: { detail: 'Projection not found', code: 'projection_not_found' },
    });
    expect((await rebuild('Counts%2F1', 'admin')).status).toBe(404);
  });

  it.each([
    ['auditor', 403],
    ['engine', 403],
    ['nobody', 401],
  ])('is not for %s: %i', async (role, status) => {
    expect((await rebuild('counts', role)).status).toBe(status);
    expect((await pool.query('SELECT FROM projection_rebuilds')).rowCount).toBe(0);
  });
});

describe('a rebuild that an operator looks at first', () => {
  const changes = async () => {
    const { rows } = await pool.query(`SELECT before, after FROM audit_trail ORDER BY id DESC LIMIT 1`);
    return rows[0];
  };
  const one = () => ask('GET', '/operator/projections/counts', 'auditor');
  const untilHeld = async (): Promise<void> => {
    while (!JSON.stringify((await one()).body).includes('"held":true'));
  };
  const held = async () => {
    const answer = await ask('POST', '/operator/projections/counts/rebuild', 'ops', { mode: 'hold' });
    expect(answer.status).toBe(202);
    await untilHeld();
  };

  it('is compared, held and switched, each on the record', async () => {
    await append();
    expect(await ask('GET', '/operator/projections/counts/differences', 'auditor')).toMatchObject({
      status: 404,
      body: { code: 'not_checked' },
    });
    await pool.query('UPDATE counts SET times = times + 1');
    await held();
    expect(await changes()).toEqual({ before: { state: 'live' }, after: { state: 'rebuilding', mode: 'hold' } });
    const { body } = await ask('GET', '/operator/projections/counts/differences', 'auditor');
    expect(body).toMatchObject({ version: 3, tables: [{ table: 'counts', missing: 0, extra: 0, changed: 1 }] });
    expect((await ask('POST', '/operator/projections/counts/switch', 'ops')).body).toEqual({
      ...{ name: 'counts', state: 'switching' },
    });
    await untilLive();
    expect(await changes()).toEqual({ before: { state: 'held' }, after: { state: 'switching' } });
    expect(await ask('POST', '/operator/projections/counts/switch', 'ops')).toMatchObject({
      status: 409,
      body: { code: 'rebuild_not_held' },
    });
  });

  it('is cancelled', async () => {
    await held();
    expect((await ask('DELETE', '/operator/projections/counts/rebuild', 'ops')).body).toEqual({
      ...{ name: 'counts', state: 'cancelling' },
    });
    await untilLive();
    expect(await ask('DELETE', '/operator/projections/counts/rebuild', 'ops')).toMatchObject({
      status: 404,
      body: { code: 'no_rebuild' },
    });
  });

  it('has a mode that there is', async () => {
    expect((await ask('POST', '/operator/projections/counts/rebuild', 'ops', { mode: 'at once' })).status).toBe(400);
  });
});

describe('POST /operator/projections/{name}/skip', () => {
  it('is refused where nothing has stopped, needs a reason, and is for admins', async () => {
    const skip = (role: string, body: object) => ask('POST', '/operator/projections/counts/skip', role, body);
    const event_id = crypto.randomUUID();
    expect(await skip('admin', { event_id, reason: 'agreed' })).toMatchObject({
      status: 409,
      body: { code: 'not_stopped_there' },
    });
    expect((await skip('admin', { event_id })).status).toBe(400);
    expect((await skip('ops', { event_id, reason: 'agreed' })).status).toBe(403);
  });
});
