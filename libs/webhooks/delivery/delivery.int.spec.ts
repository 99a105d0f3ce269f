import { setTimeout as later } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '#platform/logging';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { type Endpoint, fails, hangs, ok, openEndpoint } from '../testing/endpoint.ts';
import { eventually } from '../testing/eventually.ts';
import { openPostRoom, type PostRoom, targetAt } from '../testing/post-room.ts';
import { verifyWebhook } from '../verify/index.ts';
import { claimDue } from './claim.ts';
import { finishAttempts } from './finish.ts';
import { listDeliveries } from './list.ts';
import { makeDeliveries } from './make-deliveries.ts';
import { createOutcomes } from './outcomes.ts';
import { pruneBodies } from './prune.ts';
import type { SchedulerOptions } from './scheduler.ts';
import { redeliver, replay } from './send-again.ts';

const casino = 41;
const database = databasePerTest(migrations);
let room: PostRoom;
let endpoints: Endpoint[];

beforeEach(async () => {
  room = database.closing(await openPostRoom(database.url));
  endpoints = [];
});

const endpointOf = async (entityId: number, how: Parameters<Endpoint['answer']>[0] = ok): Promise<Endpoint> => {
  const endpoint = database.closing(await openEndpoint(how));
  endpoints.push(endpoint);
  room.targets.set(entityId, targetAt(endpoint.url));
  return endpoint;
};

const onlyDelivery = async (entityId = casino) => {
  const { items: deliveries } = await room.list(entityId);
  const [first] = deliveries;
  if (!first || deliveries.length > 1) throw new Error(`${deliveries.length} deliveries`);
  return first;
};

const becomes = (status: string, attempts: number, entityId = casino) =>
  eventually(`${status} after ${attempts}`, async () => {
    const delivery = await onlyDelivery(entityId);
    return delivery.status === status && delivery.attempts.length === attempts;
  });

const secondsUntilNext = async (): Promise<number> => {
  const { rows } = await room.pool.query<{ seconds: number }>(
    'SELECT extract(epoch FROM coalesce(leased_until, due_at) - now())::float8 AS seconds FROM webhooks_undelivered',
  );
  return rows[0]?.seconds ?? Number.NaN;
};

describe('a delivery', () => {
  it('arrives signed, with its id and the time of the attempt, and is done', async () => {
    const endpoint = await endpointOf(casino);
    await room.made(casino);
    room.scheduler();
    await becomes('delivered', 1);
    const [arrived] = endpoint.arrived;
    const delivery = await onlyDelivery();
    expect(arrived).toMatchObject({
      method: 'POST',
      body: '{"n":0}',
      headers: { 'content-type': 'application/json', 'x-webhook-id': delivery.webhook_id },
    });
    expect(arrived?.headers).not.toHaveProperty('x-webhook-test');
    expect(verifyWebhook(arrived?.body ?? '', arrived?.headers ?? {}, 'shh', { toleranceSeconds: 5 })).toBe(true);
    expect(delivery).toMatchObject({ next_attempt_at: null, attempts: [{ status_code: 200, error: null }] });
  });

  it('is unsigned where no secret is set', async () => {
    const endpoint = await endpointOf(casino);
    room.targets.set(casino, targetAt(endpoint.url, { secret: null }));
    await room.made(casino);
    room.scheduler();
    await becomes('delivered', 1);
    expect(endpoint.arrived[0]?.headers).not.toHaveProperty('x-webhook-signature');
  });

  it('is not made where there is no endpoint', async () => {
    expect(await room.made(casino)).toBe(0);
    expect((await room.list(casino)).items).toEqual([]);
  });

  it('is made once, however often its webhook comes, also after the URL has changed', async () => {
    const endpoint = await endpointOf(casino);
    const [webhookId, recordedAt] = ['6f9619ff-8b86-8011-b42d-00cf4fc964ff', '2026-03-01T12:00:00Z'];
    const webhook = {
      webhookId,
      event: 'kyt_complete',
      depositId: 7,
      entityId: casino,
      body: '{}',
      recordedAt,
    } as const;
    const make = () => makeDeliveries(room.pool, async (id) => room.targets.get(id), [webhook, webhook]);
    expect(await make()).toBe(1);
    room.targets.set(casino, targetAt(`${endpoint.url}/moved`));
    expect(await make()).toBe(0);
    await onlyDelivery();
  });

  it.each<[string, Parameters<Endpoint['answer']>[0], number | null, string | null]>([
    ['a refusal', fails, 500, null],
    ['silence', hangs, null, 'Timeout: no answer within 1 seconds'],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 302, null],
    ['a cut line', (response) => response.socket?.destroy(), null, 'The connection was cut before an answer came'],
  ])('that meets %s is tried again, the same bytes under the same id', async (_, how, status_code, error) => {
    const endpoint = await endpointOf(casino, how);
    await room.made(casino);
    room.scheduler();
    await becomes('pending', 1);
    expect((await onlyDelivery()).attempts).toMatchObject([{ status_code, error }]);
    expect(await secondsUntilNext()).toBeGreaterThan(3);
    expect(await secondsUntilNext()).toBeLessThan(6.1);
    endpoint.answer(ok);
    await room.makeDue();
    await becomes('delivered', 2);
    const [first, second] = endpoint.arrived;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-webhook-id']).toBe(first?.headers['x-webhook-id']);
    expect(second?.path).toBe(first?.path);
  });

  it('waits as long as a busy endpoint asks', async () => {
    await endpointOf(casino, (response) => response.writeHead(429, { 'retry-after': '600' }).end());
    await room.made(casino);
    room.scheduler();
    await becomes('pending', 1);
    expect(await secondsUntilNext()).toBeGreaterThan(590);
  });

  it('is dead after the last of its eleven attempts: kept, and sent again by hand', async () => {
    const endpoint = await endpointOf(casino, fails);
    await room.made(casino);
    room.scheduler();
    for (let attempts = 1; attempts <= 11; attempts++) {
      await becomes(attempts === 11 ? 'dead' : 'pending', attempts);
      await room.makeDue();
    }
    const { id, next_attempt_at } = await onlyDelivery();
    expect(next_attempt_at).toBeNull();
    expect(await redeliver(room.pool, id)).toBe('due');
    // With all its retries before it again.
    await becomes('pending', 12);
    endpoint.answer(ok);
    await room.makeDue();
    await becomes('delivered', 13);
    expect(new Set(endpoint.arrived.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
  });

  it('goes to the URL that stands when it is sent, and to none that was taken away', async () => {
    await endpointOf(casino, fails);
    await room.made(casino);
    room.scheduler();
    await becomes('pending', 1);
    const moved = await endpointOf(casino);
    await room.makeDue();
    await becomes('delivered', 2);
    expect((await onlyDelivery()).url).toBe(moved.url);
    room.targets.delete(casino);
    await redeliver(room.pool, (await onlyDelivery()).id);
    await becomes('dead', 3);
    expect((await onlyDelivery()).attempts.at(-1)).toMatchObject({ status_code: null, error: expect.any(String) });
    expect(moved.arrived).toHaveLength(1);
  });
});

describe('a delivery that cannot be sent', () => {
  it('for want of its setting is tried again by the schedule, and says so', async () => {
    await endpointOf(casino);
    await room.made(casino);
    let broken = true;
    const webhookOf = async (entityId: number) => {
      if (broken) throw new Error('the seal of a secret is broken');
      return room.targets.get(entityId);
    };
    room.scheduler({ webhookOf });
    await becomes('pending', 1);
    expect((await onlyDelivery()).attempts).toMatchObject([{ error: 'The webhook setting could not be read' }]);
    expect(await secondsUntilNext()).toBeGreaterThan(3);
    broken = false;
    await room.makeDue();
    await becomes('delivered', 2);
  });

  it('for want of its body is dead, and says so', async () => {
    const endpoint = await endpointOf(casino);
    await room.made(casino);
    await room.pool.query('DELETE FROM webhook_bodies');
    room.scheduler();
    await becomes('dead', 1);
    expect((await onlyDelivery()).attempts).toMatchObject([{ error: 'The body is not kept any more' }]);
    expect(endpoint.arrived).toEqual([]);
  });
});

describe('a rotation of the secret', () => {
  it('signs with the new one, and with the old one too until the overlap ends', async () => {
    const endpoint = await endpointOf(casino);
    const until = new Date(Date.now() + 60_000);
    const rotated = { secret: 'new', previousSecret: { secret: 'old', until } };
    room.targets.set(casino, targetAt(endpoint.url, rotated));
    await room.made(casino);
    let clock = new Date();
    room.scheduler({ now: () => clock });
    await becomes('delivered', 1);
    clock = new Date(until.getTime() + 1);
    await redeliver(room.pool, (await onlyDelivery()).id);
    await becomes('delivered', 2);
    const genuine = endpoint.arrived.map(({ body, headers }) =>
      ['new', 'old'].map((secret) => verifyWebhook(body, headers, secret)),
    );
    expect(genuine).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});

describe('schedulers side by side', () => {
  it('send each delivery once', async () => {
    const endpoint = await endpointOf(casino);
    await room.made(casino, 200);
    for (const _ of [1, 2, 3]) room.scheduler();
    await eventually('all delivered', async () => {
      const { rows } = await room.pool.query('SELECT FROM webhooks_undelivered');
      return rows.length === 0;
    });
    expect(endpoint.arrived).toHaveLength(200);
    expect(new Set(endpoint.arrived.map(({ body }) => body)).size).toBe(200);
  });

  it('take over what a scheduler had that died, once its lease is over', async () => {
    const endpoint = await endpointOf(casino, hangs);
    await room.made(casino);
    // The first hears nothing and gives nothing up until the test is over: as good as dead.
    const deaf: SchedulerOptions['client'] = {
      post: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('over')))),
    };
    room.scheduler({ leaseMs: 1_500, client: deaf });
    await eventually('taken', async () => (await secondsUntilNext()) > 0.1);
    endpoint.answer(ok);
    const start = performance.now();
    room.scheduler();
    await becomes('delivered', 1);
    expect(performance.now() - start).toBeGreaterThan(1_000);
  });

  describe('of which one is late', () => {
    const everybody = {
      room: 3,
      roomOf: new Map([[`entity ${casino}`, 3]]),
      doubtful: [],
      roomOfDoubtful: 0,
      roomOfNew: 0,
    };
    const claim = (leaseMs: number) => claimDue(room.pool, { ...everybody, leaseMs });
    const outcome = ({ id, lease }: { id: number; lease: string }, status: 'dead' | 'delivered') => ({
      id,
      lease,
      attempt: { at: new Date(), movedTo: null, statusCode: 500, error: null, durationMs: 1 },
      verdict: { status },
    });

    it('say nothing more of a delivery that another has taken over', async () => {
      await endpointOf(casino);
      await room.made(casino);
      const late = await claim(0);
      const owner = await claim(60_000);
      const ids = owner.map(({ id }) => id);
      expect(
        await finishAttempts(
          room.pool,
          late.map((one) => outcome(one, 'dead')),
        ),
      ).toEqual(new Set(ids));
      await becomes('pending', 1);
      const [again] = late.map((one) => outcome(one, 'dead'));
      // So it is not told as dead either.
      expect(again && (await createOutcomes(room.pool, silentLogger).store(again))).toBe(false);
      expect(
        await finishAttempts(
          room.pool,
          owner.map((one) => outcome(one, 'delivered')),
        ),
      ).toEqual(new Set());
      await becomes('delivered', 3);
    });

    it('say nothing more of one that was sent again by hand since', async () => {
      await endpointOf(casino);
      await room.made(casino);
      const late = await claim(0);
      const [{ id } = { id: 0 }] = late;
      // Its lease is over: whoever had it may be dead, and nobody else has taken it.
      expect(await redeliver(room.pool, id)).toBe('due');
      await finishAttempts(
        room.pool,
        late.map((one) => outcome(one, 'delivered')),
      );
      await becomes('pending', 1);
    });

    it('do not undo the good outcome that comes with their late one', async () => {
      await endpointOf(casino);
      await room.made(casino);
      const [late, owner] = [await claim(0), await claim(60_000)];
      const both = [...owner.map((one) => outcome(one, 'delivered')), ...late.map((one) => outcome(one, 'dead'))];
      expect(await finishAttempts(room.pool, both)).toEqual(new Set());
      await becomes('delivered', 2);
    });

    it('finish what is still theirs, in the same statement as what is not', async () => {
      await endpointOf(casino);
      await room.made(casino, 3);
      const [lost, ...kept] = await claim(60_000);
      if (!lost || kept.length !== 2) throw new Error('not claimed');
      await room.pool.query('UPDATE webhooks_undelivered SET leased_until = now() WHERE delivery_id = $1', [lost.id]);
      const [taken] = await claim(60_000);
      expect(taken?.id).toBe(lost.id);
      const notFinished = await finishAttempts(
        room.pool,
        [lost, ...kept].map((one) => outcome(one, 'delivered')),
      );
      expect(notFinished).toEqual(new Set([lost.id]));
      const { items: deliveries } = await room.list(casino);
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
    await endpointOf(casino);
    await room.made(casino);
    const slow = async (entityId: number) => {
      await later(2_100);
      return room.targets.get(entityId);
    };
    room.scheduler({ leaseMs: 2_000, client, webhookOf: slow });
    await eventually('taken', async () => (await secondsUntilNext()) > 0.1);
    room.scheduler({ leaseMs: 2_000, client });
    await becomes('delivered', 1);
    await later(1_000);
    expect(most).toBe(1);
    await onlyDelivery();
  });

  it('go on at once for as long as something waits, without a look by the clock', async () => {
    const [first, second] = [await endpointOf(1), await endpointOf(2)];
    await Promise.all([room.made(1, 150), room.made(2, 150)]);
    room.scheduler({ pollMs: 60_000, limits: { total: 2, perEndpoint: 2, ahead: 20 } });
    await eventually('all arrive', () => first.arrived.length + second.arrived.length === 300);
    await room.made(1, 10);
    expect(first.arrived).toHaveLength(150);
  });

  it('store what came of the others when one outcome cannot be stored', async () => {
    await endpointOf(casino);
    await room.made(casino, 3);
    const claimed = await claimDue(room.pool, {
      ...{ leaseMs: 60_000, room: 3, doubtful: [], roomOfDoubtful: 0, roomOfNew: 0 },
      roomOf: new Map([[`entity ${casino}`, 3]]),
    });
    const outcomes = createOutcomes(room.pool, silentLogger);
    const stored = claimed.map(({ id, lease }, n) => {
      const attempt = { at: new Date(), movedTo: null, statusCode: null, error: n === 1 ? 'a \0' : 'b', durationMs: 1 };
      return outcomes.store({ id, lease, attempt, verdict: { status: 'dead' } });
    });
    expect(await Promise.all(stored)).toEqual([true, false, true]);
  });

  it('send again under the same id what one sent and could not store', async () => {
    const endpoint = await endpointOf(casino);
    await room.made(casino, 20);
    // It dies between the answers and the statement that would have stored them.
    const dying: SchedulerOptions['db'] = {
      query: (...asked: Parameters<typeof room.pool.query>) =>
        JSON.stringify(asked[0]).includes('webhook_attempts')
          ? Promise.reject(new Error('died'))
          : room.pool.query(...asked),
    } as SchedulerOptions['db'];
    const told: string[] = [];
    const metrics = {
      inFlight: () => undefined,
      answered: () => told.push('answered'),
      delivered: () => told.push('delivered'),
      dead: () => told.push('dead'),
    };
    const first = room.scheduler({ db: dying, leaseMs: 1_500, metrics });
    await eventually('all sent once', () => endpoint.arrived.length === 20);
    await first.stop();
    expect(told).toEqual([]);
    expect((await room.list(casino)).items.every(({ status }) => status === 'pending')).toBe(true);
    room.scheduler();
    await eventually('all delivered', async () =>
      (await room.list(casino)).items.every(({ status }) => status === 'delivered'),
    );
    const times = Map.groupBy(endpoint.arrived, ({ headers, body }) => `${headers['x-webhook-id']} ${body}`);
    expect([...times.values()].map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 2));
  });

  it('get at once what one gives back that is stopped in the middle', async () => {
    const endpoint = await endpointOf(casino, hangs);
    await room.made(casino);
    const first = room.scheduler({ graceMs: 10 });
    await eventually('sent', () => endpoint.arrived.length === 1);
    await first.stop();
    expect((await onlyDelivery()).attempts).toEqual([]);
    endpoint.answer(ok);
    room.scheduler();
    await becomes('delivered', 1);
  });

  it('get at once what one gives back that it had claimed ahead', async () => {
    const endpoint = await endpointOf(casino);
    await room.made(casino, 2);
    const first = room.scheduler({ graceMs: 10, limits: { perEndpoint: 2 } });
    await eventually('known as quick', () => endpoint.arrived.length === 2);
    endpoint.answer(hangs);
    await room.made(casino, 8);
    await eventually('all claimed', async () => {
      const { rows } = await room.pool.query('SELECT FROM webhooks_undelivered WHERE lease IS NOT NULL');
      return rows.length === 8;
    });
    await first.stop();
    endpoint.answer(ok);
    room.scheduler();
    await eventually('all delivered', async () =>
      (await room.list(casino)).items.every(({ status, attempts }) => status === 'delivered' && attempts.length === 1),
    );
  });

  it('give back what they had claimed ahead for an endpoint that fails now', async () => {
    const endpoint = await endpointOf(casino);
    await room.made(casino, 1);
    room.scheduler({ limits: { perEndpoint: 1, ahead: 50 } });
    await eventually('known as quick', () => endpoint.arrived.length === 1);
    endpoint.answer((response) => setTimeout(() => fails(response), 200));
    await room.made(casino, 30);
    await eventually('all claimed', async () => {
      const { rows } = await room.pool.query('SELECT FROM webhooks_undelivered WHERE lease IS NOT NULL');
      return rows.length === 30;
    });
    await eventually(
      'one claimed',
      async () => {
        const { rows } = await room.pool.query('SELECT FROM webhooks_undelivered WHERE lease IS NOT NULL');
        return rows.length === 1;
      },
      2_000,
    );
  });
});

describe('a sudden backlog', () => {
  const waiting = 50_000;

  const pile = () =>
    room.pool.query(
      `INSERT INTO webhooks_undelivered (delivery_id, entity_id, endpoint)
       SELECT -n, 1, 'entity ' || (1000 + n % 20) FROM generate_series(1, ${waiting}) n`,
    );

  /** The planner has found the table's pages empty, as after every quiet hour, and then there is much. */
  const fill = async () => {
    await pile();
    await room.pool.query('DELETE FROM webhooks_undelivered');
    await room.pool.query('VACUUM (TRUNCATE FALSE) webhooks_undelivered');
    await pile();
    await endpointOf(casino);
    await room.made(casino, 1_000);
  };

  const timed = async <Result>(work: () => Promise<Result>) => {
    const start = performance.now();
    return { result: await work(), ms: performance.now() - start };
  };

  it('makes no claim and no outcome dearer by what waits elsewhere', async () => {
    const roomOf = new Map([[`entity ${casino}`, 1_000]]);
    const asked = { leaseMs: 60_000, room: 1_000, roomOf, doubtful: [], roomOfDoubtful: 0, roomOfNew: 0 };
    await fill();
    const claim = await timed(() => claimDue(room.pool, asked));
    expect(claim.result).toHaveLength(1_000);
    const at = new Date();
    const attempt = { at, movedTo: null, statusCode: 200, error: null, durationMs: 1 };
    const outcomes = claim.result.map(({ id, lease }, n) => {
      const status = n % 2 === 0 ? ('delivered' as const) : ('dead' as const);
      return { id, lease, attempt, verdict: { status } };
    });
    const finish = await timed(() => finishAttempts(room.pool, outcomes));
    expect(finish.result).toEqual(new Set());
    // Each row against each would be fifty million comparisons.
    expect([claim.ms, finish.ms].filter((ms) => ms > 1_000)).toEqual([]);
  });

  it('makes no list and no pruning dearer', async () => {
    await fill();
    await room.pool.query('DELETE FROM webhooks_undelivered WHERE endpoint = $1', [`entity ${casino}`]);
    await room.pool.query("UPDATE webhook_bodies SET kept_from = now() - interval '31 days'");
    const listed = await timed(() => listDeliveries(room.pool, { status: 'delivered', limit: 500 }));
    expect(listed.result.items).toHaveLength(500);
    const all = await timed(() => listDeliveries(room.pool, { entityId: casino, limit: 500 }));
    expect(all.result.items).toHaveLength(500);
    const pruned = await timed(() => pruneBodies(room.pool, 30));
    expect(pruned.result).toBe(1_000);
    expect([listed.ms, all.ms, pruned.ms].filter((ms) => ms > 1_000)).toEqual([]);
  });
});

describe('an endpoint that hangs', () => {
  it('delays no other, however many webhooks wait for it', async () => {
    await endpointOf(1, hangs);
    const good = await endpointOf(2);
    await room.made(1, 500);
    room.scheduler();
    await room.made(2, 100);
    const start = performance.now();
    await eventually('the good one has all', () => good.arrived.length === 100);
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it('delays no other, however many hang', async () => {
    for (let entityId = 100; entityId < 140; entityId++) {
      await endpointOf(entityId, hangs);
      await room.made(entityId, 5);
    }
    const good = await endpointOf(2);
    room.scheduler({ limits: { total: 16, perEndpoint: 4, doubtfulShare: 0.5 } });
    await eventually('every one was tried once', async () => {
      const { rows } = await room.pool.query('SELECT DISTINCT delivery_id FROM webhook_attempts');
      return rows.length >= 40;
    });
    const start = performance.now();
    await room.made(2, 50);
    await eventually('the good one has all', () => good.arrived.length === 50);
    // The time limit of an attempt is a second: nothing of the good one waited for an attempt to end.
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('an endpoint that nobody knows yet', () => {
  it('gets its turn while the known ones keep every slot busy', async () => {
    const busy = await endpointOf(1);
    const fresh = await endpointOf(2);
    await room.made(1, 5_000);
    const scheduler = room.scheduler({ limits: { total: 2, perEndpoint: 2, ahead: 50 } });
    await eventually('the busy one is known', () => busy.arrived.length > 50);
    await room.made(2);
    scheduler.wake();
    await eventually('the new one has its own', () => fresh.arrived.length === 1);
    expect(busy.arrived.length).toBeLessThan(5_000);
  });
});

describe('an endpoint that refuses at once', () => {
  it('is not asked for as fast as it refuses', async () => {
    await endpointOf(casino, fails);
    await room.made(casino, 500);
    let statements = 0;
    const db: SchedulerOptions['db'] = {
      query: (...asked: Parameters<typeof room.pool.query>) => {
        statements += 1;
        return room.pool.query(...asked);
      },
    } as SchedulerOptions['db'];
    room.scheduler({ db, pollMs: 250 });
    await later(1_000);
    // A claim, an empty one and an outcome at each look.
    expect(statements).toBeLessThan(30);
  });
});

describe('an endpoint that is slow', () => {
  it('delays no quick one, however many are slow', async () => {
    for (let entityId = 100; entityId < 106; entityId++) {
      await endpointOf(entityId, (response) => setTimeout(() => ok(response), 400));
      await room.made(entityId, 60);
    }
    const good = await endpointOf(2);
    room.scheduler({ limits: { total: 8, perEndpoint: 4, quickMs: 100 } });
    await eventually('every slow one is known', () => endpoints.every((one) => one === good || one.arrived.length > 1));
    const start = performance.now();
    await room.made(2, 60);
    await eventually('the quick one has all', () => good.arrived.length === 60);
    expect(performance.now() - start).toBeLessThan(1_500);
  });
});

describe('what was delivered long ago', () => {
  const age = () => room.pool.query("UPDATE webhook_bodies SET kept_from = now() - interval '31 days'");

  it('loses its body, stays listed, and cannot be sent again', async () => {
    await endpointOf(casino);
    await room.made(casino);
    room.scheduler();
    await becomes('delivered', 1);
    expect(await pruneBodies(room.pool, 30)).toBe(0);
    await age();
    expect(await pruneBodies(room.pool, 30)).toBe(1);
    expect(await redeliver(room.pool, (await onlyDelivery()).id)).toBe('body_gone');
  });

  it('is not what is dead: that keeps its body', async () => {
    await endpointOf(casino);
    await room.made(casino);
    room.targets.delete(casino);
    room.scheduler();
    await becomes('dead', 1);
    await age();
    expect(await pruneBodies(room.pool, 30)).toBe(0);
  });

  it('is not what was sent again since, nor what is being sent again at this moment', async () => {
    await endpointOf(casino);
    await room.made(casino, 2);
    const scheduler = room.scheduler();
    const allDelivered = async () => (await room.list(casino)).items.every(({ status }) => status === 'delivered');
    await eventually('delivered', allDelivered);
    await age();
    const { items: deliveries } = await room.list(casino);
    const [first = { id: 0 }, second = { id: 0 }] = deliveries;
    await redeliver(room.pool, first.id);
    await eventually('delivered again', allDelivered);
    await scheduler.stop();
    const operator = await room.pool.connect();
    await operator.query('BEGIN');
    await redeliver(operator, second.id);
    const pruning = pruneBodies(room.pool, 30);
    await operator.query('COMMIT');
    operator.release();
    expect(await pruning).toBe(0);
  });
});

describe('a replay', () => {
  it('sends everything of a casino since a time again, in as many steps as it takes', async () => {
    const endpoint = await endpointOf(casino);
    const other = await endpointOf(2);
    await Promise.all([room.made(casino, 2_500), room.made(2)]);
    await room.pool.query(
      "UPDATE webhook_deliveries SET created_at = now() - interval '2 hours' WHERE deposit_id < 10",
    );
    await room.pool.query('DELETE FROM webhooks_undelivered');
    const since = new Date(Date.now() - 3_600_000);
    await room.pool.query("UPDATE webhook_bodies SET kept_from = now() - interval '31 days'");
    expect(await replay((step) => step(room.pool), casino, since)).toBe(2_490);
    await room.pool.query('UPDATE webhooks_undelivered SET failures = 3');
    // What waits already is due again, and counts; its bodies are kept as those of today.
    expect(await replay((step) => step(room.pool), casino, since)).toBe(2_490);
    const { rows } = await room.pool.query('SELECT FROM webhooks_undelivered WHERE failures > 0');
    expect(rows).toEqual([]);
    expect(await pruneBodies(room.pool, 30)).toBe(11);
    room.scheduler();
    await eventually('all sent', () => endpoint.arrived.length === 2_490, 25_000);
    expect(other.arrived).toEqual([]);
  });

  it('waits for nobody who finishes or gives back, and lets nobody wait in a circle', async () => {
    await endpointOf(casino);
    await room.made(casino, 1_000);
    const roomOf = new Map([[`entity ${casino}`, 1_000]]);
    const asked = { leaseMs: 60_000, room: 1_000, roomOf, doubtful: [], roomOfDoubtful: 0, roomOfNew: 0 };
    const attempt = { at: new Date(), movedTo: null, statusCode: 500, error: null, durationMs: 1 };
    const since = new Date(Date.now() - 3_600_000);
    for (let round = 0; round < 16; round++) {
      const claimed = await claimDue(room.pool, asked);
      const verdict = (n: number) => (n % 2 === 0 ? { status: 'delivered' as const } : { status: 'dead' as const });
      const outcomes = claimed.map(({ id, lease }, n) => ({ id, lease, attempt, verdict: verdict(n) })).reverse();
      const again = () => replay((step) => step(room.pool), casino, since);
      // At another moment of the replay each time.
      const finish = later(round * 3).then(() => finishAttempts(room.pool, outcomes));
      await Promise.all([again(), again(), pruneBodies(room.pool, 30), finish]);
      await again();
    }
    expect((await claimDue(room.pool, asked)).length).toBe(1_000);
  });
});
