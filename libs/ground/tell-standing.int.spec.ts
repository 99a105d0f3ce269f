import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { AnotherLog, type Position } from '#event-log';
import { migrations as ofLog, openPostgresEventLog } from '#event-log/postgres';
import { createHealth } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { migrations as ofReadModels, startProjection } from '#read-models';
import { eventually } from '#read-models/testing';
import { moveRelay, migrations as ofWebhooks, readRelayPosition, stopRelay } from '#webhooks';
import { databasePerFile } from '../../test/support/with-database.ts';
import { tellStanding } from './tell-standing.ts';

const database = databasePerFile(ofLog, ofReadModels, ofWebhooks);

const event = () => ({
  id: randomUUID(),
  type: 'PaymentSeen',
  data: {},
  metadata: { occurredAt: '2026-01-01T00:00:00.000Z' },
});

const rows = { name: 'rows', version: 1, project: () => [] };

const open = async () => {
  const log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  return { log, pool: database.pool, logger: silentLogger };
};

const relayAt = async (position: Position) =>
  moveRelay(database.pool, await readRelayPosition(database.pool), position);

it('tells readiness of what nobody carries on behind the log, and no more once somebody does', async () => {
  const ground = await open();
  const { log } = ground;
  const health = createHealth();
  const projections = [{ projection: rows }];
  const standing = tellStanding({ ...ground, health, projections, everyMs: 20, standsAfterMs: 300 });
  const alarms = async () => (await health.readiness()).alarms ?? [];
  const running = startProjection({ ...ground, projection: rows });
  const { position } = await log.append('deposit-1', 'no_stream', [event()]);
  const relayStands = 'the relay of webhooks stands still behind the log';
  // The projection stands behind too until it has begun.
  await eventually(alarms, (told) => told.join() === relayStands);
  expect(await health.readiness()).toMatchObject({ ready: true, alarms: [relayStands] });
  await relayAt(position);
  await eventually(alarms, (told) => told.length === 0);
  await running.stop();
  const { position: next } = await log.append('deposit-1', 0, [event()]);
  await relayAt(next);
  await eventually(alarms, (told) => told.length > 0);
  expect(await alarms()).toEqual(['projection rows stands still behind the log']);
  const again = startProjection({ ...ground, projection: rows });
  await eventually(alarms, (told) => told.length === 0);
  await again.stop();
  await standing.stop();
});

it('tells nothing of what is behind and moves', async () => {
  const ground = await open();
  const { log } = ground;
  const health = createHealth();
  const standing = tellStanding({ ...ground, health, projections: [], everyMs: 10, standsAfterMs: 400 });
  const { position } = await log.append(
    'deposit-2',
    'no_stream',
    Array.from({ length: 9 }, () => event()),
  );
  const events = await Array.fromAsync(log.read('deposit-2'));
  for (const { position: next } of events.slice(0, -1)) {
    await relayAt(next);
    await delay(120);
    expect((await health.readiness()).alarms).toBeUndefined();
  }
  await relayAt(position);
  await standing.stop();
});

it('tells at once why the relay has stopped, and no more once it goes on', async () => {
  const ground = await open();
  const { pool, log } = ground;
  const health = createHealth();
  const standing = tellStanding({ ...ground, health, projections: [], everyMs: 20 });
  const { position } = await log.append('deposit-3', 'no_stream', [event()]);
  await relayAt(position);
  await stopRelay(pool, { position, last: undefined }, 'the log lacks what was carried');
  const alarms = async () => (await health.readiness()).alarms ?? [];
  await eventually(alarms, (told) => told.join() === 'the log lacks what was carried');
  expect((await health.readiness()).ready).toBe(true);
  await relayAt(position);
  await eventually(alarms, (told) => told.length === 0);
  await standing.stop();
});

it('tells of a projection whose place is none of the log that it stands still, and of the relay beside it', async () => {
  const ground = await open();
  const { pool } = ground;
  const health = createHealth();
  const readAll = () => {
    throw new AnotherLog('stands where no record of the log begins');
  };
  await pool.query("UPDATE webhook_relay SET position = '00000000000000000001.00000000000000000001'");
  await ground.log.append('deposit-4', 'no_stream', [event()]);
  const log = { ...ground.log, readAll };
  const projections = [{ projection: rows }];
  const standing = tellStanding({ ...ground, log, health, projections, everyMs: 20, standsAfterMs: 100 });
  await eventually(
    async () => (await health.readiness()).alarms ?? [],
    (told) => told.length === 2,
  );
  await standing.stop();
});
