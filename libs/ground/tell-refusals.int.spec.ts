import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createHealth } from '#platform/health';
import { silentLogger } from '#platform/logging';
import { inTransaction } from '#platform/postgres';
import { databasePerFile } from '../../test/support/with-database.ts';
import { tellRefusals } from './tell-refusals.ts';

const database = databasePerFile();

const FULL = "DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$";

it('a database whose disk is full is an alarm of readiness, until it refuses nothing any more', async () => {
  const { pool } = database;
  const health = createHealth();
  const errors: unknown[] = [];
  const logger = { ...silentLogger, error: (fields: unknown) => errors.push(fields) } as typeof silentLogger;
  tellRefusals(pool, { health, logger, calmAfterMs: 300 });
  await expect(pool.query('SELECT 1/0')).rejects.toThrow('division by zero');
  expect(await health.readiness()).toEqual({ ready: true, checks: [] });
  const told = { ready: true, checks: [], alarms: ['the database refuses writes: its disk is full'] };
  await expect(pool.query(FULL)).rejects.toThrow('could not extend file');
  expect(await health.readiness()).toEqual(told);
  await delay(200);
  await expect(inTransaction(pool, (db) => db.query(FULL))).rejects.toThrow('could not extend file');
  await delay(200);
  expect(await health.readiness()).toEqual(told);
  expect(errors).toEqual([expect.objectContaining({ alert: 'database_refuses_writes' })]);
  await delay(300);
  expect(await health.readiness()).toEqual({ ready: true, checks: [] });
});
