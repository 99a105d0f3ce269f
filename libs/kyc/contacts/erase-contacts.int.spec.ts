import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '#platform/postgres';
import { databasePerFile } from '../../../test/support/with-database.ts';
import { kycTables, openTestKyc, type TestClock, type TestKyc, testClock } from '../testing/index.ts';
import { holdContacts } from './contact-of.ts';

const PHONE = '+46700000001';
const [LOW, HIGH] = ['00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-8fff-ffffffffffff'] as const;

const database = databasePerFile(...kycTables);
let clock: TestClock;
let one: TestKyc;
let casino: { affiliateId: number; entityId: number };

beforeAll(async () => {
  clock = testClock();
  one = database.closing(await openTestKyc(database.url, clock));
});

beforeEach(async () => {
  await one.pool.query(
    'TRUNCATE limit_windows, kyc_disowned_phones, outgoing_messages, kyc_links, kyc_players, kyc_identities, kyc_contacts',
  );
  casino = await one.newCasino();
});

const set = (gamblerRef: string, phone = PHONE) =>
  one.kyc.setPlayer({ entityId: casino.entityId, gamblerRef, kyc: 'verified', phone }, 'test');

const ask = (gamblerRef: string, phone = PHONE) =>
  one.kyc.checkPlayer({ ...casino, gamblerRef, phone, email: null }).then(({ outcome }) => outcome);

const erase = (gamblerRef: string) => one.kyc.eraseContacts({ entityId: casino.entityId, gamblerRef }, 'test');

const WAITING = `
  SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const untilWaiting = async (many: number): Promise<void> => {
  const waiting = async () => (await database.pool.query<{ waiting: number }>(WAITING)).rows[0]?.waiting;
  while (((await waiting()) ?? 0) < many) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** From a connection beside; what it locked is free once `work` is done. */
const whileLocked = (text: string, values: readonly unknown[], work: (holder: pg.PoolClient) => Promise<void>) =>
  inTransaction(database.pool, async (holder) => {
    await holder.query(text, [...values]);
    await work(holder);
  });

/** Whoever erases comes to it last. */
const LOCK_THE_TRAIL = 'LOCK TABLE audit_trail IN EXCLUSIVE MODE';

const identities = async (): Promise<number> => (await one.pool.query('SELECT FROM kyc_identities')).rowCount ?? 0;

describe('an erasure', () => {
  it('leaves no hash of a phone, also where both players who had it are erased at once', async () => {
    await set('g-1');
    await set('g-2');
    let both: Promise<readonly boolean[]> = Promise.resolve([]);
    await whileLocked(LOCK_THE_TRAIL, [], async () => {
      both = Promise.all([erase('g-1'), erase('g-2')]);
      await untilWaiting(2);
    });
    expect(await both).toEqual([true, true]);
    expect(await identities()).toBe(0);
  });

  it('takes the hash from nobody who is asked for the same phone meanwhile', async () => {
    await ask('g-2', '+46700000002');
    clock.pass(60_000);
    await set('g-1');
    let both: Promise<readonly unknown[]> = Promise.resolve([]);
    // Who it is that this phone names is known then, and no link says so yet.
    await whileLocked("SELECT FROM kyc_links WHERE gambler_ref = 'g-2' FOR UPDATE", [], async () => {
      const asked = ask('g-2');
      await untilWaiting(1);
      const erased = erase('g-1');
      both = Promise.all([asked, erased]);
      both.catch(() => undefined);
      await Promise.race([erased, untilWaiting(2)]);
    });
    expect(await both).toEqual(['kyc_required', true]);
    expect(await identities()).toBe(2);
  });

  it('keeps no other player of the same phone from being asked when the hash is gone', async () => {
    await set('g-1');
    let both: Promise<readonly unknown[]> = Promise.resolve([]);
    await whileLocked(LOCK_THE_TRAIL, [], async () => {
      const erased = erase('g-1');
      await untilWaiting(1);
      both = Promise.all([erased, ask('g-2')]);
      both.catch(() => undefined);
      await untilWaiting(2);
    });
    expect(await both).toEqual([true, 'kyc_required']);
    expect(await identities()).toBe(1);
  });

  it('holds contacts in the order in which receipts do', async () => {
    await set('g-1');
    const more =
      'INSERT INTO kyc_contacts (id, entity_id, gambler_ref, phone, created_at) VALUES ($1, $2, $3, $4, now())';
    await one.pool.query(more, [HIGH, casino.entityId, 'g-1', '+1']);
    await one.pool.query(more, [LOW, casino.entityId, 'g-1', '+2']);
    let erased: Promise<boolean> = Promise.resolve(false);
    await inTransaction(database.pool, async (holder) => {
      await holdContacts(holder, [LOW]);
      erased = erase('g-1');
      await untilWaiting(1);
      await holder.query('SELECT FROM kyc_contacts WHERE id = $1 FOR SHARE NOWAIT', [HIGH]);
    });
    expect(await erased).toBe(true);
  });

  it("begins again where others stand in each other's way with it", async () => {
    await ask('g-1');
    const hold = 'SELECT FROM kyc_contacts WHERE gambler_ref = $1 FOR UPDATE';
    let erased: Promise<boolean> = Promise.resolve(false);
    await whileLocked(hold, ['g-1'], async (holder) => {
      await holder.query("SET LOCAL deadlock_timeout = '10s'");
      erased = erase('g-1');
      erased.catch(() => undefined);
      await untilWaiting(1);
      await holder.query('SELECT FROM kyc_players WHERE gambler_ref = $1 FOR UPDATE', ['g-1']);
    });
    expect(await erased).toBe(true);
    expect((await one.messages.list({ gamblerRef: 'g-1' })).items).toEqual([]);
  });
});
