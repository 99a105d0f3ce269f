import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { migrations as engineMigrations, engineProjections } from '#engine';
import type { EventLog } from '#event-log';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { silentLogger } from '#platform/logging';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { type Projections, migrations as readMigrations, startProjections, stopWaiting } from '#read-models';
import { readModelProjections } from '#read-models/deposits';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';

const everyProjection = [...readModelProjections, ...engineProjections];

let database: FreshDatabase;
let pool: pg.Pool;
let log: EventLog;
let projections: Projections;

beforeAll(async () => {
  database = await freshDatabase();
  for (const each of [logMigrations, readMigrations, engineMigrations]) await migrate(database.url, each);
  pool = createPool({ url: database.url, applicationName: 'test', logger: silentLogger });
  log = await openPostgresEventLog({ databaseUrl: database.url });
  projections = startProjections({ projections: everyProjection, log, pool, logger: silentLogger });
});

afterAll(async () => {
  await projections.stop();
  await stopWaiting(pool);
  await log.close();
  await pool.end();
  await database.drop();
});

/** Columns, checks and indexes, by their names. */
const shapeOf = async (tables: readonly string[]): Promise<unknown[]> => {
  const { rows } = await pool.query(
    `SELECT tablename || '.' || indexname AS name, indexdef AS is FROM pg_indexes WHERE tablename = ANY ($1)
     UNION ALL SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint
       WHERE conrelid = ANY ($1::text[]::regclass[])
     UNION ALL SELECT attrelid::regclass || '.' || attname, format_type(atttypid, atttypmod) || attnotnull FROM pg_attribute
       WHERE attrelid = ANY ($1::text[]::regclass[]) AND attnum > 0 AND NOT attisdropped
     ORDER BY 1, 2`,
    [tables],
  );
  return rows;
};

const untilLive = async (name: string) => {
  for (;;) {
    const report = (await projections.status()).find((each) => each.name === name);
    if (report?.state === 'live') return report;
    await delay(20);
  }
};

describe('The tables of every projection of the house', () => {
  it.each(everyProjection.map(({ projection, tables }) => [projection.name, tables] as const))(
    'can be rebuilt and are the same afterwards: %s',
    async (name, tables) => {
      const before = await shapeOf(tables);
      expect(before.length).toBeGreaterThan(tables.length);
      expect(await projections.rebuild(name)).toBe('started');
      expect(await untilLive(name)).toMatchObject({ failure: null, stopped: false });
      expect(await shapeOf(tables)).toEqual(before);
    },
  );
});
