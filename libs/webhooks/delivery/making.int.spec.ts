import { describe, expect, it } from '@jest/globals';
import { inTransaction, type Queryable } from '#platform/postgres';
import { hangs, ok } from '../testing/endpoint.ts';
import { eventually } from '../testing/eventually.ts';
import { webhooksOf } from '../testing/post-room.ts';
import { casino, postRoomPerTest } from '../testing/post-room-per-test.ts';
import type { Scheduler, SchedulerOptions } from './scheduler.ts';

const post = postRoomPerTest();

/** Says which statements were claims. */
const countClaims = () => {
  let claims = 0;
  const db: Queryable = {
    query: (...asked: Parameters<typeof post.room.pool.query>) => {
      if (JSON.stringify(asked[0]).includes('WITH RECURSIVE step')) claims += 1;
      return post.room.pool.query(...asked);
    },
  } as Queryable;
  return { db, claims: () => claims };
};

/** Says how the deliveries that it made were committed, on a server where a commit waits. */
const watchCommits = () => {
  const commits: unknown[] = [];
  const db = {
    query: (...asked: Parameters<Queryable['query']>) =>
      inTransaction(post.room.pool, async (client) => {
        await client.query("SET LOCAL synchronous_commit = 'on'");
        const result = await client.query(...asked);
        const { rows } = await client.query('SHOW synchronous_commit');
        if (JSON.stringify(asked[0]).includes('INTO webhook_deliveries')) commits.push(rows[0].synchronous_commit);
        return result;
      }),
  } as Queryable;
  return { db, commits };
};

const unfinished = async (): Promise<readonly { readonly life: string | null }[]> =>
  (await post.room.pool.query<{ life: string | null }>('SELECT life FROM webhooks_undelivered')).rows;

const allDelivered = () => eventually('all delivered', async () => (await unfinished()).length === 0);

/** One that has sent to the endpoint before, and knows it as quick. */
const running = async (options: Partial<SchedulerOptions> = {}): Promise<Scheduler> => {
  await post.room.made(casino);
  const scheduler = post.room.scheduler({ pollMs: 60_000, ...options });
  await allDelivered();
  return scheduler;
};

/** A claim follows the last answer: what is put in before it is over may be taken by it. */
const atRest = (claims: () => number): Promise<void> =>
  eventually('at rest', async () => {
    const before = claims();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return claims() === before;
  });

const make = (scheduler: Scheduler, count: number) => scheduler.make(post.room.settings, webhooksOf(casino, count));

describe('a scheduler that makes deliveries itself', () => {
  it('starts them at once, without a claim, and each is sent once', async () => {
    const endpoint = await post.endpointOf(casino);
    const { db, claims } = countClaims();
    const scheduler = await running({ db });
    await atRest(claims);
    const before = claims();
    for (let n = 0; n < 5; n++) {
      const { count, claimed } = await make(scheduler, 4);
      expect([count, claimed.length]).toEqual([4, 4]);
      await allDelivered();
    }
    expect(claims()).toBe(before);
    expect(new Set(endpoint.arrived.map(({ headers }) => headers['x-webhook-id'])).size).toBe(21);
    expect(endpoint.arrived).toHaveLength(21);
  });

  it('takes no more than the endpoint has room for, and the rest in its turn', async () => {
    const endpoint = await post.endpointOf(casino);
    const scheduler = await running({ limits: { perEndpoint: 2, ahead: 1 } });
    const { count, claimed } = await make(scheduler, 30);
    expect([count, claimed.length]).toEqual([30, 4]);
    await allDelivered();
    expect(endpoint.arrived).toHaveLength(31);
  });

  it('takes nothing new before what waits longer, and nothing for an endpoint that nobody knows', async () => {
    const endpoint = await post.endpointOf(casino);
    const { db, claims } = countClaims();
    const scheduler = await running({ db });
    await atRest(claims);
    // Of somebody else, who does not tell.
    await post.room.made(casino, 3);
    expect((await make(scheduler, 2)).claimed).toEqual([]);
    await allDelivered();
    expect(endpoint.arrived).toHaveLength(6);
    await post.endpointOf(casino + 1);
    expect((await scheduler.make(post.room.settings, webhooksOf(casino + 1, 2))).claimed).toEqual([]);
    await allDelivered();
  });

  it('has them under its life, and gives them back when it stops', async () => {
    const endpoint = await post.endpointOf(casino);
    const scheduler = await running({ graceMs: 10 });
    endpoint.answer(hangs);
    await make(scheduler, 20);
    const lives = new Set((await unfinished()).map(({ life }) => life));
    expect([lives.size, lives.has(null)]).toEqual([1, false]);
    await scheduler.stop();
    expect(new Set((await unfinished()).map(({ life }) => life))).toEqual(new Set([null]));
    endpoint.answer(ok);
    post.room.scheduler();
    await allDelivered();
  });

  it('takes nothing while others may think it dead', async () => {
    await post.endpointOf(casino);
    const scheduler = await running();
    await post.room.pool.query('DELETE FROM webhook_lives');
    const { count, claimed } = await make(scheduler, 2);
    expect([count, claimed.length]).toEqual([2, 0]);
  });

  it.each([
    ['does not wait for the disk where its place in the bus is lost with them', true, 'off'],
    ['waits for the disk where the bus is elsewhere, and would never bring again what a crash took', false, 'on'],
  ])('%s', async (_, busIsBeside, commit) => {
    await post.endpointOf(casino);
    const { db, commits } = watchCommits();
    await make(post.room.scheduler({ db, busIsBeside }), 2);
    expect(commits).toEqual([commit]);
    await allDelivered();
  });
});
