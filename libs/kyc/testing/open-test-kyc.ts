import type pg from 'pg';
import { migrations as limitMigrations } from '#limits';
import {
  type Messages,
  migrations as messageMigrations,
  openMessages,
  simulatedCarrier,
  startSendingMessages,
} from '#messages';
import { createAffiliate, createEntity, migrations as partnerMigrations } from '#partners';
import { type Logger, silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { type Kyc, migrations, openKyc } from '../index.ts';
import type { TextLimits } from '../texts.ts';

/** A clock that stands until it is moved. */
export type TestClock = { readonly now: () => Date; readonly pass: (ms: number) => void };

export const testClock = (): TestClock => {
  let at = Date.parse('2026-03-01T12:00:00.000Z');
  return {
    now: () => new Date(at),
    pass: (ms) => {
      at += ms;
    },
  };
};

export type TestKyc = {
  readonly pool: pg.Pool;
  readonly kyc: Kyc;
  readonly messages: Messages;
  readonly newCasino: (affiliateId?: number) => Promise<{ readonly affiliateId: number; readonly entityId: number }>;
  readonly close: () => Promise<void>;
};

export const kycTables = [partnerMigrations, messageMigrations, limitMigrations, migrations];

type Changes = { readonly textLimits?: TextLimits; readonly logger?: Pick<Logger, 'warn'> };

/** One instance on a database with its tables, which may already have others. */
export const openTestKyc = async (
  url: string,
  clock: TestClock = testClock(),
  changes: Changes = {},
): Promise<TestKyc> => {
  const pool = createPool({ url, applicationName: 'test', logger: silentLogger, max: 20 });
  const carriers = { sms: simulatedCarrier(), email: simulatedCarrier() };
  // The sender has connections of its own, so that a test can count what a check asks of the pool.
  const senders = createPool({ url, applicationName: 'test', logger: silentLogger, max: 5 });
  const sending = startSendingMessages({ pool: senders, logger: silentLogger, carriers, pollMs: 50 });
  const casino = async (entityId: number) => {
    const { rows } = await pool.query<{ affiliateId: number; name: string }>(
      'SELECT affiliate_id AS "affiliateId", name FROM entities WHERE id = $1',
      [entityId],
    );
    return rows[0];
  };
  const kyc = openKyc({
    pool,
    secrets: createSecrets('a key of tests'),
    casino,
    publicUrl: () => 'http://till.example/',
    now: clock.now,
    logger: silentLogger,
    ...changes,
  });
  return {
    pool,
    kyc,
    messages: openMessages(pool),
    newCasino: async (given) => {
      const affiliateId = given ?? (await createAffiliate(pool, 'test', { name: 'Northern Lights' }));
      return { affiliateId, entityId: await createEntity(pool, 'test', { affiliateId, name: 'Aurora' }) };
    },
    close: async () => {
      await sending.stop();
      await senders.end();
      await pool.end();
    },
  };
};
