import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { createWebhookClient } from '../safe-http/index.ts';
import { fails, hangs, ok } from '../testing/endpoint.ts';
import { eventually } from '../testing/eventually.ts';
import { roomFor } from '../testing/post-room.ts';
import { casino, postRoomPerTest } from '../testing/post-room-per-test.ts';
import { finishAttempts } from './finish.ts';
import { createOutcomes } from './outcomes.ts';
import type { SchedulerOptions } from './scheduler.ts';
import { redeliver } from './send-again.ts';

const post = postRoomPerTest();

describe('schedulers side by side', () => {
  it('send each delivery once', async () => {
    const endpoint = await post.endpointOf(casino);
    await post.room.made(casino, 200);
    // Whoever gave up on a busy machine would send again, and rightly so.
    const client = createWebhookClient({ allowPrivate: true, timeLimitMs: 30_000 });
    for (const _ of [1, 2, 3]) post.room.scheduler({ client });
    await eventually('all delivered', async () => {
      const { rows } = await post.room.pool.query('SELECT FROM webhooks_undelivered');
      return rows.length === 0;
    });
    expect(endpoint.arrived).toHaveLength(200);
    expect(new Set(endpoint.arrived.map(({ body }) => body)).size).toBe(200);
  });

  it('take over what a scheduler had that died, once its lease is over', async () => {
    const endpoint = await post.endpointOf(casino, hangs);
    await post.room.made(casino);
    // The first hears nothing and gives nothing up until the test is over: as good as dead.
    const deaf: SchedulerOptions['client'] = {
      post: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('over')))),
    };
    post.room.scheduler({ leaseMs: 1_500, client: deaf });
    await eventually('taken', async () => (await post.secondsUntilNext()) > 0.1);
    endpoint.answer(ok);
    const start = performance.now();
    post.room.scheduler();
    await post.becomes('delivered', 1);
    expect(performance.now() - start).toBeGreaterThan(1_000);
  });

  it('leave alone what one has that was only cut off, and that sends nothing until it is seen again', async () => {
    const endpoint = await post.endpointOf(casino, hangs);
    await post.room.made(casino);
    post.room.scheduler();
    await eventually('sent', () => endpoint.arrived.length === 1);
    const other = post.room.scheduler();
    const cut = () =>
      post.room.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name LIKE 'webhook scheduler %' AND datname = current_database()`,
      );
    const lives = async () => (await post.room.pool.query<{ life: string }>('SELECT life FROM webhook_lives')).rows;
    await eventually('both live', async () => (await lives()).length === 2);
    const before = await lives();
    for (let n = 0; n < 3; n++) {
      await cut();
      await eventually('both are seen again', async () => {
        const { rows } = await post.room.pool.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return rows.length === 2;
      });
    }
    await post.room.made(casino);
    // As long as a dead one would be left alone.
    await later(1_000);
    expect(await lives()).toEqual(expect.arrayContaining([...before]));
    expect(new Set(endpoint.arrived.map(({ headers }) => headers['x-webhook-id'])).size).toBe(endpoint.arrived.length);
    await other.stop();
    expect(await lives()).toHaveLength(1);
  });

  describe('of which one is late', () => {
    const claim = (leaseMs: number) => post.room.claim({ leaseMs, ...roomFor(casino, 3) });
    const outcome = ({ id, lease }: { id: number; lease: string }, status: 'dead' | 'delivered') => ({
      id,
      lease,
      attempt: { at: new Date(), movedTo: null, statusCode: 500, error: null, durationMs: 1, answer: null },
      verdict: { status },
    });

    it('say nothing more of a delivery that another has taken over', async () => {
      await post.endpointOf(casino);
      await post.room.made(casino);
      const late = await claim(0);
      const owner = await claim(60_000);
      const ids = owner.map(({ id }) => id);
      expect(
        await finishAttempts(
          post.room.pool,
          late.map((one) => outcome(one, 'dead')),
        ),
      ).toEqual(new Set(ids));
      await post.becomes('pending', 1);
      const [again] = late.map((one) => outcome(one, 'dead'));
      // So it is not told as dead either.
      expect(again && (await createOutcomes(post.room.pool, silentLogger).store(again))).toBe(false);
      expect(
        await finishAttempts(
          post.room.pool,
          owner.map((one) => outcome(one, 'delivered')),
        ),
      ).toEqual(new Set());
      await post.becomes('delivered', 3);
    });

    it('say nothing more of one that was sent again by hand since', async () => {
      await post.endpointOf(casino);
      await post.room.made(casino);
      const late = await claim(0);
      const [{ id } = { id: 0 }] = late;
      // Its lease is over: whoever had it may be dead, and nobody else has taken it.
      expect(await redeliver(post.room.pool, id)).toBe('due');
      await finishAttempts(
        post.room.pool,
        late.map((one) => outcome(one, 'delivered')),
      );
      await post.becomes('pending', 1);
    });

    it('do not undo the good outcome that comes with their late one', async () => {
      await post.endpointOf(casino);
      await post.room.made(casino);
      const [late, owner] = [await claim(0), await claim(60_000)];
      const both = [...owner.map((one) => outcome(one, 'delivered')), ...late.map((one) => outcome(one, 'dead'))];
      expect(await finishAttempts(post.room.pool, both)).toEqual(new Set());
      await post.becomes('delivered', 2);
    });

    it('finish what is still theirs, in the same statement as what is not', async () => {
      await post.endpointOf(casino);
      await post.room.made(casino, 3);
      const [lost, ...kept] = await claim(60_000);
      if (!lost || kept.length !== 2) throw new Error('not claimed');
      await post.room.pool.query('UPDATE webhooks_undelivered SET leased_until = now() WHERE delivery_id = $1', [
        lost.id,
      ]);
      const [taken] = await claim(60_000);
      expect(taken?.id).toBe(lost.id);
      const notFinished = await finishAttempts(
        post.room.pool,
        [lost, ...kept].map((one) => outcome(one, 'delivered')),
      );
      expect(notFinished).toEqual(new Set([lost.id]));
      const { items: deliveries } = await post.room.list(casino);
      const standing = deliveries.map(({ id, status, attempts }) => ({ id, status, attempts: attempts.length }));
      expect(standing).toContainEqual({ id: lost.id, status: 'pending', attempts: 1 });
      for (const { id } of kept) expect(standing).toContainEqual({ id, status: 'delivered', attempts: 1 });
      // Whoever has it now still has it.
      expect(await claim(60_000)).toEqual([]);
    });
  });

  it('never send at the same time, however long the look-up of the setting takes', async () => {
    let [underWay, most] = [0, 0];
    const client: SchedulerOptions['client'] = {
      post: async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await later(600);
        underWay -= 1;
        return { statusCode: 200, excerpt: '', retryAfter: null, error: null, durationMs: 600 };
      },
    };
    await post.endpointOf(casino);
    await post.room.made(casino);
    const slow = async (entityId: number) => {
      await later(2_100);
      return post.room.targets.get(entityId);
    };
    post.room.scheduler({ leaseMs: 2_000, client, webhookOf: slow });
    await eventually('taken', async () => (await post.secondsUntilNext()) > 0.1);
    post.room.scheduler({ leaseMs: 2_000, client });
    await post.becomes('delivered', 1);
    await later(1_000);
    expect(most).toBe(1);
    await post.onlyDelivery();
  });

  it('go on at once for as long as something waits, without a look by the clock', async () => {
    const [first, second] = [await post.endpointOf(1), await post.endpointOf(2)];
    await Promise.all([post.room.made(1, 150), post.room.made(2, 150)]);
    post.room.scheduler({ pollMs: 60_000, limits: { total: 2, perEndpoint: 2, ahead: 20 } });
    await eventually('all arrive', () => first.arrived.length + second.arrived.length === 300);
    await post.room.made(1, 10);
    expect(first.arrived).toHaveLength(150);
  });

  it('store what came of the others when one outcome cannot be stored', async () => {
    await post.endpointOf(casino);
    await post.room.made(casino, 3);
    const claimed = await post.room.claim({ leaseMs: 60_000, ...roomFor(casino, 3) });
    const outcomes = createOutcomes(post.room.pool, silentLogger);
    const stored = claimed.map(({ id, lease }, n) => {
      const attempt = {
        at: new Date(),
        movedTo: null,
        statusCode: null,
        error: n === 1 ? 'a \0' : 'b',
        durationMs: 1,
        answer: 'c \0',
      };
      return outcomes.store({ id, lease, attempt, verdict: { status: 'dead' } });
    });
    expect(await Promise.all(stored)).toEqual([true, false, true]);
  });

  it('send again under the same id what one sent and could not store', async () => {
    const endpoint = await post.endpointOf(casino);
    await post.room.made(casino, 20);
    // It dies between the answers and the statement that would have stored them.
    const dying: Queryable = {
      query: (...asked: Parameters<typeof post.room.pool.query>) =>
        JSON.stringify(asked[0]).includes('webhook_attempts')
          ? Promise.reject(new Error('died'))
          : post.room.pool.query(...asked),
    } as Queryable;
    const told: string[] = [];
    const metrics = {
      inFlight: () => undefined,
      answered: () => told.push('answered'),
      delivered: () => told.push('delivered'),
      dead: () => told.push('dead'),
    };
    const first = post.room.scheduler({ db: dying, leaseMs: 1_500, metrics });
    await eventually('all sent once', () => endpoint.arrived.length === 20);
    await first.stop();
    expect(told).toEqual([]);
    expect((await post.room.list(casino)).items.every(({ status }) => status === 'pending')).toBe(true);
    post.room.scheduler();
    await eventually('all delivered', async () =>
      (await post.room.list(casino)).items.every(({ status }) => status === 'delivered'),
    );
    const times = Map.groupBy(endpoint.arrived, ({ headers, body }) => `${headers['x-webhook-id']} ${body}`);
    expect([...times.values()].map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 2));
  });

  it('get at once what one gives back that is stopped in the middle', async () => {
    const endpoint = await post.endpointOf(casino, hangs);
    await post.room.made(casino);
    const first = post.room.scheduler({ graceMs: 10 });
    await eventually('sent', () => endpoint.arrived.length === 1);
    await first.stop();
    expect((await post.onlyDelivery()).attempts).toEqual([]);
    endpoint.answer(ok);
    post.room.scheduler();
    await post.becomes('delivered', 1);
  });

  it('get at once what one gives back that it had claimed ahead', async () => {
    const endpoint = await post.endpointOf(casino);
    await post.room.made(casino, 2);
    const first = post.room.scheduler({ graceMs: 10, limits: { perEndpoint: 2 } });
    await eventually('known as quick', () => endpoint.arrived.length === 2);
    endpoint.answer(hangs);
    await post.room.made(casino, 8);
    await eventually('all claimed', async () => {
      const { rows } = await post.room.pool.query('SELECT FROM webhooks_undelivered WHERE lease IS NOT NULL');
      return rows.length === 8;
    });
    await first.stop();
    endpoint.answer(ok);
    post.room.scheduler();
    await eventually('all delivered', async () =>
      (await post.room.list(casino)).items.every(
        ({ status, attempts }) => status === 'delivered' && attempts.length === 1,
      ),
    );
  });

  it('give back what they had claimed ahead for an endpoint that fails now', async () => {
    const endpoint = await post.endpointOf(casino);
    await post.room.made(casino, 1);
    post.room.scheduler({ limits: { perEndpoint: 1, ahead: 50 } });
    await eventually('known as quick', () => endpoint.arrived.length === 1);
    endpoint.answer((response) => setTimeout(() => fails(response), 200));
    await post.room.made(casino, 30);
    await eventually('all claimed', async () => {
      const { rows } = await post.room.pool.query('SELECT FROM webhooks_undelivered WHERE lease IS NOT NULL');
      return rows.length === 30;
    });
    await eventually(
      'one claimed',
      async () => {
        const { rows } = await post.room.pool.query('SELECT FROM webhooks_undelivered WHERE lease IS NOT NULL');
        return rows.length === 1;
      },
      2_000,
    );
  });
});
