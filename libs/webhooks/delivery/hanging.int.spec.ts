import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type Endpoint, hangs, ok } from '../testing/endpoint.ts';
import { eventually } from '../testing/eventually.ts';
import { webhooksOf } from '../testing/post-room.ts';
import { postRoomPerTest } from '../testing/post-room-per-test.ts';
import type { Scheduler } from './scheduler.ts';

const post = postRoomPerTest();

/** An attempt may take a second, a quick answer a tenth of it. */
const limits = { total: 16, perEndpoint: 4, quickMs: 100 };
const HANGS_MS = 850;
const [hostile, other] = [1, 2];
const good = 2;

/** Answers two well, then nothing for most of a time limit, then two well again. */
const inWaves = (): Parameters<Endpoint['answer']>[0] => {
  let [well, until] = [0, 0];
  return (response) => {
    if (until > 0 && performance.now() > until) [well, until] = [0, 0];
    well += 1;
    if (well <= 2) return ok(response);
    until ||= performance.now() + HANGS_MS;
    return undefined;
  };
};

const casinosOf = async (count: number, how: () => Parameters<Endpoint['answer']>[0]): Promise<readonly number[]> => {
  const casinos = Array.from({ length: count }, (_, n) => 100 + n);
  await Promise.all(casinos.map(async (id) => post.endpointOf(id, how(), hostile)));
  return casinos;
};

const make = (scheduler: Scheduler, casino: number, count: number) =>
  scheduler.make(post.room.settings, webhooksOf(casino, count));

/** How long each of so many webhooks took to arrive, that were made at a steady pace; in milliseconds, sorted. */
const latenciesOf = async (scheduler: Scheduler, endpoint: Endpoint, count: number): Promise<readonly number[]> => {
  const made = new Map<string, number>();
  const arrivals = new Map<string, number>();
  endpoint.answer((response, { headers }) => {
    arrivals.set(String(headers['x-webhook-id']), performance.now());
    ok(response);
  });
  for (let n = 0; n < count; n++) {
    const [webhook] = webhooksOf(good);
    if (!webhook) throw new Error('no webhook');
    made.set(webhook.webhookId, performance.now());
    await scheduler.make(post.room.settings, [webhook]);
    await later(40);
  }
  await eventually('all have arrived', () => arrivals.size === count);
  return [...made].map(([id, at]) => (arrivals.get(id) ?? Number.NaN) - at).toSorted((a, b) => a - b);
};

const at = (share: number, sorted: readonly number[]): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

const known = async (scheduler: Scheduler, endpoint: Endpoint): Promise<void> => {
  await make(scheduler, good, 1);
  await eventually('the good one is known', () => endpoint.arrived.length === 1);
};

describe("one affiliate's endpoints that hang", () => {
  it('delay no other affiliate, though they answer well in between and are always asked for more', async () => {
    const casinos = await casinosOf(20, inWaves);
    const endpoint = await post.endpointOf(good, ok, other);
    const scheduler = post.room.scheduler({ limits });
    await known(scheduler, endpoint);
    const over = new AbortController();
    const flood = (async () => {
      while (!over.signal.aborted) {
        for (const casino of casinos) await make(scheduler, casino, 3);
        await later(50);
      }
    })();
    await later(1_000);
    const latencies = await latenciesOf(scheduler, endpoint, 80);
    over.abort();
    await flood;
    // An attempt that hangs takes a second: hardly one waited for any to end.
    expect(at(0.5, latencies)).toBeLessThan(100);
    expect(at(0.9, latencies)).toBeLessThan(300);
  });

  it('delay no other affiliate, known or new, when nobody has ever met them', async () => {
    const casinos = await casinosOf(60, () => hangs);
    const endpoint = await post.endpointOf(good, ok, other);
    const scheduler = post.room.scheduler({ limits });
    await known(scheduler, endpoint);
    for (const casino of casinos) await make(scheduler, casino, 2);
    await later(100);
    const fresh = await post.endpointOf(good + 1, ok, other);
    const start = performance.now();
    await make(scheduler, good + 1, 1);
    await eventually('the new one has its own', () => fresh.arrived.length === 1);
    const took = performance.now() - start;
    const latencies = await latenciesOf(scheduler, endpoint, 30);
    expect(took).toBeLessThan(500);
    expect(latencies.at(-1)).toBeLessThan(500);
  });

  it('delay no other of its own that is new for longer than quick answers take', async () => {
    const casinos = await casinosOf(30, () => hangs);
    const scheduler = post.room.scheduler({ limits: { ...limits, total: 64 } });
    for (const casino of casinos) await make(scheduler, casino, 1);
    await later(50);
    const fresh = await post.endpointOf(good, ok, hostile);
    const start = performance.now();
    await make(scheduler, good, 1);
    await eventually('the new one has its own', () => fresh.arrived.length === 1);
    expect(performance.now() - start).toBeLessThan(600);
  });
});
