import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { inTransaction } from '#platform/postgres';
import { eventually } from '../testing/eventually.ts';
import { roomFor } from '../testing/post-room.ts';
import { casino, postRoomPerTest } from '../testing/post-room-per-test.ts';
import { finishAttempts } from './finish.ts';
import { pruneBodies } from './prune.ts';
import { type InStep, replay, resumeReplays, stopReplay } from './replay.ts';
import { countReplay } from './replay-pages.ts';
import { redeliver } from './send-again.ts';

const post = postRoomPerTest();

describe('what was delivered long ago', () => {
  const age = () => post.room.pool.query("UPDATE webhook_bodies SET kept_from = now() - interval '31 days'");

  it('loses its body, stays listed, and cannot be sent again', async () => {
    await post.endpointOf(casino);
    await post.room.made(casino);
    post.room.scheduler();
    await post.becomes('delivered', 1);
    expect(await pruneBodies(post.room.pool, 30)).toBe(0);
    await age();
    expect(await pruneBodies(post.room.pool, 30)).toBe(1);
    expect(await redeliver(post.room.pool, (await post.onlyDelivery()).id)).toBe('body_gone');
  });

  it('is not what is dead: that keeps its body', async () => {
    await post.endpointOf(casino);
    await post.room.made(casino);
    post.room.targets.delete(casino);
    post.room.scheduler();
    await post.becomes('dead', 1);
    await age();
    expect(await pruneBodies(post.room.pool, 30)).toBe(0);
  });

  it('is not what was sent again since, nor what is being sent again at this moment', async () => {
    await post.endpointOf(casino);
    await post.room.made(casino, 2);
    const scheduler = post.room.scheduler();
    const allDelivered = async () => (await post.room.list(casino)).items.every(({ status }) => status === 'delivered');
    await eventually('delivered', allDelivered);
    await age();
    const { items: deliveries } = await post.room.list(casino);
    const [first = { id: 0 }, second = { id: 0 }] = deliveries;
    await redeliver(post.room.pool, first.id);
    await eventually('delivered again', allDelivered);
    await scheduler.stop();
    const operator = await post.room.pool.connect();
    await operator.query('BEGIN');
    await redeliver(operator, second.id);
    const pruning = pruneBodies(post.room.pool, 30);
    await operator.query('COMMIT');
    operator.release();
    expect(await pruning).toBe(0);
  });
});

describe('a replay', () => {
  it('sends everything of a casino since a time again, in as many steps as it takes', async () => {
    const endpoint = await post.endpointOf(casino);
    const other = await post.endpointOf(2);
    await Promise.all([post.room.made(casino, 2_500), post.room.made(2)]);
    await post.room.pool.query(
      "UPDATE webhook_deliveries SET created_at = now() - interval '2 hours' WHERE deposit_id < 10",
    );
    await post.room.pool.query('DELETE FROM webhooks_undelivered');
    const since = new Date(Date.now() - 3_600_000);
    await post.room.pool.query("UPDATE webhook_bodies SET kept_from = now() - interval '31 days'");
    expect(await replay((step) => step(post.room.pool), { entityId: casino }, { since })).toBe(2_490);
    await post.room.pool.query('UPDATE webhooks_undelivered SET failures = 3');
    // What waits already is due again, and counts; its bodies are kept as those of today.
    expect(await replay((step) => step(post.room.pool), { entityId: casino }, { since })).toBe(2_490);
    const { rows } = await post.room.pool.query('SELECT FROM webhooks_undelivered WHERE failures > 0');
    expect(rows).toEqual([]);
    expect(await pruneBodies(post.room.pool, 30)).toBe(11);
    post.room.scheduler();
    await eventually('all sent', () => endpoint.arrived.length === 2_490, 25_000);
    expect(other.arrived).toEqual([]);
  });

  it('is of a span of time, of some events, and of the dead alone where that is wanted, and is counted before', async () => {
    const { pool } = post.room;
    await post.endpointOf(casino);
    await post.room.made(casino, 30);
    await pool.query("UPDATE webhook_deliveries SET created_at = now() - interval '2 hours' WHERE id % 3 = 0");
    await pool.query("UPDATE webhook_deliveries SET event = 'deposit.returned' WHERE id % 5 = 0");
    await pool.query('DELETE FROM webhooks_undelivered WHERE delivery_id % 2 = 0');
    await pool.query('UPDATE webhooks_undelivered SET due_at = NULL');
    const ids = (await pool.query<{ id: number }>('SELECT id::int FROM webhook_deliveries')).rows.map(({ id }) => id);
    const [early, late] = [new Date(Date.now() - 86_400_000), new Date(Date.now() - 3_600_000)];
    const wishes = [
      [{ since: early }, () => true],
      [{ since: late }, (id: number) => id % 3 !== 0],
      [{ since: early, until: late }, (id: number) => id % 3 === 0],
      [{ since: early, events: ['deposit.returned'] }, (id: number) => id % 5 === 0],
      [{ since: early, onlyDead: true }, (id: number) => id % 2 === 1],
      [{ since: late, events: ['deposit.returned'], onlyDead: true }, (id: number) => id % 3 !== 0 && id % 10 === 5],
    ] as const;
    for (const [wanted, isWanted] of wishes) {
      const expected = ids.filter(isWanted).length;
      expect(await countReplay(pool, { entityId: casino }, wanted)).toBe(expected);
    }
    for (const [wanted, isWanted] of wishes.toReversed()) {
      const { rows } = await inTransaction(
        pool,
        async (db) => {
          expect(await replay((step) => step(db), { entityId: casino }, wanted)).toBe(ids.filter(isWanted).length);
          return db.query<{ id: number }>(
            'SELECT delivery_id::int AS id FROM webhooks_undelivered WHERE due_at IS NOT NULL',
          );
        },
        { isKept: () => false },
      );
      expect(rows.map(({ id }) => id).sort()).toEqual(ids.filter(isWanted).sort());
    }
  });

  it('is gone on with by another when its process dies in the middle, unless it was stopped', async () => {
    const { pool } = post.room;
    await post.endpointOf(casino);
    await post.room.made(casino, 2_500);
    const [since, whose] = [new Date(Date.now() - 3_600_000), { entityId: casino }];
    const inStep: InStep = (step) => inTransaction(pool, step);
    /** It is begun, and has done one page. */
    const beginAndDie = async () => {
      await pool.query('DELETE FROM webhooks_undelivered');
      let steps = 0;
      const dying: InStep = (step) => (++steps > 2 ? Promise.reject(new Error('killed')) : inStep(step));
      await expect(replay(dying, whose, { since })).rejects.toThrow('killed');
    };
    const due = async () => (await pool.query('SELECT FROM webhooks_undelivered WHERE due_at <= now()')).rowCount;
    const leave = () => pool.query("UPDATE webhook_replays SET claimed_until = now() - interval '1 second'");

    await beginAndDie();
    expect([await due(), await resumeReplays(inStep)]).toEqual([1_000, false]);
    await leave();
    expect([await resumeReplays(inStep), await due(), await resumeReplays(inStep)]).toEqual([true, 2_500, false]);
    const { rows } = await pool.query('SELECT due, ended_at FROM webhook_replays');
    expect(rows).toMatchObject([{ ended_at: expect.any(Date) }]);
    expect(Number(rows[0].due)).toBe(2_500);

    await beginAndDie();
    await stopReplay(inStep, whose);
    await leave();
    expect([await resumeReplays(inStep), await due()]).toEqual([false, 1_000]);
  });

  it('waits for nobody who finishes or gives back, and lets nobody wait in a circle', async () => {
    await post.endpointOf(casino);
    await post.room.made(casino, 1_000);
    const asked = { leaseMs: 60_000, ...roomFor(casino, 1_000) };
    const attempt = { at: new Date(), movedTo: null, statusCode: 500, error: null, durationMs: 1, answer: null };
    const since = new Date(Date.now() - 3_600_000);
    for (let round = 0; round < 16; round++) {
      const claimed = await post.room.claim(asked);
      const verdict = (n: number) => (n % 2 === 0 ? { status: 'delivered' as const } : { status: 'dead' as const });
      const outcomes = claimed.map(({ id, lease }, n) => ({ id, lease, attempt, verdict: verdict(n) })).reverse();
      const again = () => replay((step) => step(post.room.pool), { entityId: casino }, { since });
      // At another moment of the replay each time.
      const finish = later(round * 3).then(() => finishAttempts(post.room.pool, outcomes));
      await Promise.all([again(), again(), pruneBodies(post.room.pool, 30), finish]);
      await again();
    }
    expect((await post.room.claim(asked)).length).toBe(1_000);
  });
});
