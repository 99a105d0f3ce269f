import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { databasePerFile } from '../../test/support/with-database.ts';
import type { PlayerToCheck } from './index.ts';
import { kycTables, openTestKyc, type TestKyc } from './testing/index.ts';

const FROM = '192.0.2.1';

const KEY = 7;
const CROWD = 60;

/** Of the twenty that the pool has. */
const MOST_OF_ONE_PARTNER = 5;

const database = databasePerFile(...kycTables);
let one: TestKyc;
let casino: { affiliateId: number; entityId: number };
let other: { affiliateId: number; entityId: number };

beforeAll(async () => {
  one = database.closing(await openTestKyc(database.url));
});

beforeEach(async () => {
  await one.pool.query('TRUNCATE limit_windows, outgoing_messages');
  [casino, other] = [await one.newCasino(), await one.newCasino()];
});

let players = 0;

/** Each a player and a phone of his own, unless told. */
const ask = (changes: Partial<PlayerToCheck> = {}) => {
  const phone = `+4670000${1000 + players}`;
  return one.kyc.checkPlayer({ ...casino, gamblerRef: `g-${players++}`, phone, email: null, ...changes });
};

const askAll = (changes: (nth: number) => Partial<PlayerToCheck>) =>
  Promise.all(Array.from({ length: CROWD }, (_, nth) => ask(changes(nth))));

/** From a connection beside those that are counted; what it locked is free once `work` is done. */
const whileLocked = async (text: string, values: readonly unknown[], work: () => Promise<void>): Promise<void> => {
  const holder: pg.PoolClient = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(text, [...values]);
    await work();
  } finally {
    await holder.query('COMMIT');
    holder.release();
  }
};

const WAITING = `
  SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const waiting = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ waiting: number }>(WAITING);
  return rows[0]?.waiting ?? 0;
};

/** Then whoever else comes has come. */
const untilWaiting = async (): Promise<void> => {
  while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 500));
};

const HOLD_WINDOW = `
  INSERT INTO limit_windows (subject, ends_at, uses) VALUES ($1, now() + interval '1 hour', 0)`;
const HOLD_PLAYER = 'SELECT FROM kyc_players WHERE entity_id = $1 AND gambler_ref = $2 FOR UPDATE';

describe('many calls that wait for one row', () => {
  it('leave connections to all others when it is the count of their key', async () => {
    let crowd: Promise<unknown> = Promise.resolve();
    await whileLocked(HOLD_WINDOW, [`texts by key ${KEY}`], async () => {
      crowd = askAll(() => ({ keyId: KEY }));
      await untilWaiting();
      expect(await waiting()).toBeLessThanOrEqual(MOST_OF_ONE_PARTNER);
      expect(one.pool.waitingCount).toBe(0);
      // Another partner's players get their links meanwhile.
      expect(await ask({ ...other, keyId: KEY + 1 })).toMatchObject({ message: expect.stringMatching(/was sent/) });
    });
    expect(await crowd).toEqual(
      Array.from({ length: CROWD }, () => ({ outcome: 'kyc_required', message: expect.stringMatching(/was sent/) })),
    );
  });

  it('take one connection when it is that of their player', async () => {
    const gamblerRef = 'known';
    await one.kyc.setPlayer({ entityId: casino.entityId, gamblerRef, kyc: 'verified', phone: '+46700000001' }, 'test');
    let crowd: Promise<unknown> = Promise.resolve();
    await whileLocked(HOLD_PLAYER, [casino.entityId, gamblerRef], async () => {
      crowd = askAll(() => ({ gamblerRef }));
      await untilWaiting();
      expect(await waiting()).toBe(1);
      // Nor do they keep other players of that casino waiting.
      expect(await ask()).toMatchObject({ outcome: 'kyc_required' });
    });
    expect(await crowd).toEqual(
      Array.from({ length: CROWD }, () => ({ outcome: 'verified', contactRef: expect.any(String) })),
    );
  });
});

describe('a count of texts', () => {
  it('is kept waiting by no call that is under way', async () => {
    let first: Promise<unknown> = Promise.resolve();
    await whileLocked('LOCK TABLE outgoing_messages IN EXCLUSIVE MODE', [], async () => {
      first = ask({ keyId: KEY });
      await untilWaiting();
      const { rows } = await one.pool.query('SELECT uses FROM limit_windows WHERE subject = $1 FOR UPDATE NOWAIT', [
        `texts by key ${KEY}`,
      ]);
      expect(rows).toEqual([{ uses: 1 }]);
    });
    expect(await first).toMatchObject({ outcome: 'kyc_required' });
  });

  it('is made for one that turns out to be wanted once the player is locked', async () => {
    const asked = { gamblerRef: 'again', keyId: KEY };
    await ask(asked);
    let again: Promise<unknown> = Promise.resolve();
    const close = 'UPDATE kyc_links SET replaced_at = now() WHERE entity_id = $1 AND gambler_ref = $2';
    await whileLocked(HOLD_PLAYER, [casino.entityId, asked.gamblerRef], async () => {
      again = ask(asked);
      await untilWaiting();
      await one.pool.query(close, [casino.entityId, asked.gamblerRef]);
    });
    expect(await again).toMatchObject({ outcome: 'kyc_required' });
    expect((await one.messages.list({ gamblerRef: 'again' })).items).toHaveLength(2);
    const { rows } = await one.pool.query('SELECT uses FROM limit_windows WHERE subject = $1', [`texts by key ${KEY}`]);
    expect(rows).toEqual([{ uses: 2 }]);
  });
});

describe('a link that works no more', () => {
  it('keeps nobody waiting for its player', async () => {
    const gamblerRef = 'has used it';
    await ask({ gamblerRef });
    const [message] = (await one.messages.list({ gamblerRef })).items;
    const token = message?.link?.split('/kyc/')[1] ?? '';
    expect(await one.kyc.takeLink(token, FROM)).toEqual({ outcome: 'submitted' });
    await whileLocked(HOLD_PLAYER, [casino.entityId, gamblerRef], async () => {
      expect(await one.kyc.takeLink(token, FROM)).toEqual({ outcome: 'used' });
      expect(await one.kyc.disownLink(token, FROM)).toEqual({ outcome: 'used' });
    });
  });
});
