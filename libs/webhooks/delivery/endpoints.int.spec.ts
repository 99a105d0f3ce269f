import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Queryable } from '#platform/postgres';
import { fails, hangs, ok } from '../testing/endpoint.ts';
import { eventually } from '../testing/eventually.ts';
import { roomFor } from '../testing/post-room.ts';
import { casino, postRoomPerTest } from '../testing/post-room-per-test.ts';
import { finishAttempts } from './finish.ts';
import { listDeliveries } from './list.ts';
import { pruneBodies } from './prune.ts';

const post = postRoomPerTest();

describe('a sudden backlog', () => {
  const waiting = 50_000;

  const pile = () =>
    post.room.pool.query(
      `INSERT INTO webhooks_undelivered (delivery_id, entity_id, endpoint)
       SELECT -n, 1, 'entity ' || (1000 + n % 20) FROM generate_series(1, ${waiting}) n`,
    );

  /** The planner has found the table's pages empty, as after every quiet hour, and then there is much. */
  const fill = async () => {
    await pile();
    await post.room.pool.query('DELETE FROM webhooks_undelivered');
    await post.room.pool.query('VACUUM (TRUNCATE FALSE) webhooks_undelivered');
    await pile();
    await post.endpointOf(casino);
    await post.room.made(casino, 1_000);
  };

  const timed = async <Result>(work: () => Promise<Result>) => {
    const start = performance.now();
    return { result: await work(), ms: performance.now() - start };
  };

  it('makes no claim and no outcome dearer by what waits elsewhere', async () => {
    const asked = { leaseMs: 60_000, ...roomFor(casino, 1_000) };
    await fill();
    const claim = await timed(() => post.room.claim(asked));
    expect(claim.result).toHaveLength(1_000);
    const at = new Date();
    const attempt = { at, movedTo: null, statusCode: 200, error: null, durationMs: 1, answer: null };
    const outcomes = claim.result.map(({ id, lease }, n) => {
      const status = n % 2 === 0 ? ('delivered' as const) : ('dead' as const);
      return { id, lease, attempt, verdict: { status } };
    });
    const finish = await timed(() => finishAttempts(post.room.pool, outcomes));
    expect(finish.result).toEqual(new Set());
    // Each row against each would be fifty million comparisons.
    expect([claim.ms, finish.ms].filter((ms) => ms > 1_000)).toEqual([]);
  });

  it('makes no list and no pruning dearer', async () => {
    await fill();
    await post.room.pool.query('DELETE FROM webhooks_undelivered WHERE endpoint = $1', [`entity ${casino}`]);
    await post.room.pool.query("UPDATE webhook_bodies SET kept_from = now() - interval '31 days'");
    const listed = await timed(() => listDeliveries(post.room.pool, { status: 'delivered', limit: 500 }));
    expect(listed.result.items).toHaveLength(500);
    const all = await timed(() => listDeliveries(post.room.pool, { entityId: casino, limit: 500 }));
    expect(all.result.items).toHaveLength(500);
    const pruned = await timed(() => pruneBodies(post.room.pool, 30));
    expect(pruned.result).toBe(1_000);
    expect([listed.ms, all.ms, pruned.ms].filter((ms) => ms > 1_000)).toEqual([]);
  });
});

describe('an endpoint that hangs', () => {
  it('delays no other, however many webhooks wait for it', async () => {
    await post.endpointOf(1, hangs);
    const good = await post.endpointOf(2);
    await post.room.made(1, 500);
    post.room.scheduler();
    await post.room.made(2, 100);
    const start = performance.now();
    await eventually('the good one has all', () => good.arrived.length === 100);
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it('delays no other, however many hang', async () => {
    for (let entityId = 100; entityId < 140; entityId++) {
      await post.endpointOf(entityId, hangs);
      await post.room.made(entityId, 5);
    }
    const good = await post.endpointOf(2);
    post.room.scheduler({ limits: { total: 32, perEndpoint: 4, doubtfulShare: 0.5, quickMs: 500 } });
    await eventually('every one was tried once', async () => {
      const { rows } = await post.room.pool.query('SELECT DISTINCT delivery_id FROM webhook_attempts');
      return rows.length >= 40;
    });
    const start = performance.now();
    await post.room.made(2, 20);
    await eventually('the good one has all', () => good.arrived.length === 20);
    // The time limit of an attempt is a second: nothing of the good one waited for an attempt to end.
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('an endpoint that nobody knows yet', () => {
  it('gets its turn while the known ones keep every slot busy', async () => {
    const busy = await post.endpointOf(1);
    const fresh = await post.endpointOf(2);
    await post.room.made(1, 5_000);
    const scheduler = post.room.scheduler({ limits: { total: 2, perEndpoint: 2, ahead: 50 } });
    await eventually('the busy one is known', () => busy.arrived.length > 50);
    await post.room.made(2);
    scheduler.wake();
    await eventually('the new one has its own', () => fresh.arrived.length === 1);
    expect(busy.arrived.length).toBeLessThan(5_000);
  });
});

describe('an endpoint that refuses at once', () => {
  it('is not asked for as fast as it refuses', async () => {
    await post.endpointOf(casino, fails);
    await post.room.made(casino, 500);
    let statements = 0;
    const db: Queryable = {
      query: (...asked: Parameters<typeof post.room.pool.query>) => {
        statements += 1;
        return post.room.pool.query(...asked);
      },
    } as Queryable;
    post.room.scheduler({ db, pollMs: 250 });
    await later(1_000);
    // A claim, an empty one and an outcome at each look.
    expect(statements).toBeLessThan(30);
  });
});

describe('an endpoint that is slow', () => {
  it('delays no quick one, however many are slow', async () => {
    for (let entityId = 100; entityId < 106; entityId++) {
      await post.endpointOf(entityId, (response) => setTimeout(() => ok(response), 400));
      await post.room.made(entityId, 60);
    }
    const good = await post.endpointOf(2);
    post.room.scheduler({ limits: { total: 8, perEndpoint: 4, quickMs: 100 } });
    await eventually('every slow one is known', () =>
      post.endpoints.every((one) => one === good || one.arrived.length > 1),
    );
    const start = performance.now();
    await post.room.made(2, 60);
    await eventually('the quick one has all', () => good.arrived.length === 60);
    expect(performance.now() - start).toBeLessThan(1_500);
  });
});
