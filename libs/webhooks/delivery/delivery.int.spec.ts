import { describe, expect, it } from '@jest/globals';
import { createLog } from '#platform/logging';
import { UNREADABLE } from '../target.ts';
import { type Endpoint, fails, hangs, ok } from '../testing/endpoint.ts';
import { eventually } from '../testing/eventually.ts';
import { targetAt } from '../testing/post-room.ts';
import { casino, postRoomPerTest } from '../testing/post-room-per-test.ts';
import { verifyWebhook } from '../verify/index.ts';
import { makeDeliveries } from './make-deliveries.ts';
import { redeliver } from './send-again.ts';

const post = postRoomPerTest();

describe('a delivery', () => {
  it('arrives signed, with its id and the time of the attempt, and is done', async () => {
    const endpoint = await post.endpointOf(casino);
    await post.room.made(casino);
    post.room.scheduler();
    await post.becomes('delivered', 1);
    const [arrived] = endpoint.arrived;
    const delivery = await post.onlyDelivery();
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
    const endpoint = await post.endpointOf(casino);
    post.room.targets.set(casino, targetAt(endpoint.url, { secret: null }));
    await post.room.made(casino);
    post.room.scheduler();
    await post.becomes('delivered', 1);
    expect(endpoint.arrived[0]?.headers).not.toHaveProperty('x-webhook-signature');
  });

  it('is not made where there is no endpoint', async () => {
    expect(await post.room.made(casino)).toBe(0);
    expect((await post.room.list(casino)).items).toEqual([]);
  });

  it('is made once, however often its webhook comes, also after the URL has changed', async () => {
    const endpoint = await post.endpointOf(casino);
    const [webhookId, recordedAt] = ['6f9619ff-8b86-8011-b42d-00cf4fc964ff', '2026-03-01T12:00:00Z'];
    const webhook = {
      webhookId,
      event: 'kyt_complete',
      depositId: 7,
      entityId: casino,
      body: '{}',
      recordedAt,
    } as const;
    const webhookOf = async (id: number) => post.room.targets.get(id);
    const settings = { webhookOf, webhookOfAffiliate: webhookOf };
    const make = () => makeDeliveries(post.room.pool, settings, [webhook, webhook]);
    expect(await make()).toEqual({ count: 1, claimed: [] });
    post.room.targets.set(casino, targetAt(`${endpoint.url}/moved`));
    expect(await make()).toEqual({ count: 0, claimed: [] });
    await post.onlyDelivery();
  });

  it.each<[string, Parameters<Endpoint['answer']>[0], number | null, string | null]>([
    ['a refusal', fails, 500, null],
    ['silence', hangs, null, 'Timeout: no answer within 1 seconds'],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 302, null],
    ['a cut line', (response) => response.socket?.destroy(), null, 'The connection was cut before an answer came'],
  ])('that meets %s is tried again, the same bytes under the same id', async (_, how, status_code, error) => {
    const endpoint = await post.endpointOf(casino, how);
    await post.room.made(casino);
    post.room.scheduler();
    await post.becomes('pending', 1);
    expect((await post.onlyDelivery()).attempts).toMatchObject([{ status_code, error }]);
    expect(await post.secondsUntilNext()).toBeGreaterThan(3);
    expect(await post.secondsUntilNext()).toBeLessThan(6.1);
    endpoint.answer(ok);
    await post.room.makeDue();
    await post.becomes('delivered', 2);
    const [first, second] = endpoint.arrived;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-webhook-id']).toBe(first?.headers['x-webhook-id']);
    expect(second?.path).toBe(first?.path);
  });

  it('waits as long as a busy endpoint asks', async () => {
    await post.endpointOf(casino, (response) => response.writeHead(429, { 'retry-after': '600' }).end());
    await post.room.made(casino);
    post.room.scheduler();
    await post.becomes('pending', 1);
    expect(await post.secondsUntilNext()).toBeGreaterThan(590);
  });

  it('is dead after the last of its eleven attempts: kept, and sent again by hand', async () => {
    const endpoint = await post.endpointOf(casino, fails);
    await post.room.made(casino);
    const lines: Record<string, unknown>[] = [];
    const { logger } = createLog({ level: 'info', to: { write: (line) => lines.push(JSON.parse(line)) } });
    post.room.scheduler({ logger });
    for (let attempts = 1; attempts <= 11; attempts++) {
      await post.becomes(attempts === 11 ? 'dead' : 'pending', attempts);
      await post.room.makeDue();
    }
    const { id, next_attempt_at } = await post.onlyDelivery();
    expect(next_attempt_at).toBeNull();
    expect(await redeliver(post.room.pool, id)).toBe('due');
    // With all its retries before it again.
    await post.becomes('pending', 12);
    endpoint.answer(ok);
    await post.room.makeDue();
    await post.becomes('delivered', 13);
    expect(new Set(endpoint.arrived.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    // Of thirteen attempts the log tells what is news.
    const of = { endpoint: `entity ${casino}` };
    expect(lines).toMatchObject([
      { ...of, level: 40, status_code: 500 },
      { ...of, level: 50, alert: 'webhook_delivery_dead' },
      { ...of, level: 30, msg: 'an endpoint takes webhooks again' },
    ]);
  });

  it('goes to the URL that stands when it is sent, and to none that was taken away', async () => {
    await post.endpointOf(casino, fails);
    await post.room.made(casino);
    post.room.scheduler();
    await post.becomes('pending', 1);
    const moved = await post.endpointOf(casino);
    await post.room.makeDue();
    await post.becomes('delivered', 2);
    expect((await post.onlyDelivery()).url).toBe(moved.url);
    post.room.targets.delete(casino);
    await redeliver(post.room.pool, (await post.onlyDelivery()).id);
    await post.becomes('dead', 3);
    expect((await post.onlyDelivery()).attempts.at(-1)).toMatchObject({ status_code: null, error: expect.any(String) });
    expect(moved.arrived).toHaveLength(1);
  });
});

describe('a delivery that cannot be sent', () => {
  it('for want of its setting is tried again by the schedule, and says so', async () => {
    await post.endpointOf(casino);
    await post.room.made(casino);
    let broken = true;
    const webhookOf = async (entityId: number) => {
      if (broken) throw new Error('the seal of a secret is broken');
      return post.room.targets.get(entityId);
    };
    post.room.scheduler({ webhookOf });
    await post.becomes('pending', 1);
    expect((await post.onlyDelivery()).attempts).toMatchObject([{ error: 'The webhook setting could not be read' }]);
    expect(await post.secondsUntilNext()).toBeGreaterThan(3);
    broken = false;
    await post.room.makeDue();
    await post.becomes('delivered', 2);
  });

  it('since its secret cannot be opened waits, loudly and alone, until there is one that can', async () => {
    const endpoint = await post.endpointOf(casino);
    const other = await post.endpointOf(casino + 1);
    post.room.targets.set(casino, targetAt(endpoint.url, { secret: UNREADABLE }));
    await post.room.made(casino);
    await post.room.made(casino + 1);
    const lines: Record<string, unknown>[] = [];
    const { logger } = createLog({ level: 'info', to: { write: (line) => lines.push(JSON.parse(line)) } });
    post.room.scheduler({ logger });
    await post.becomes('pending', 1);
    await eventually('the other has its webhook', () => other.arrived.length === 1);
    expect((await post.onlyDelivery()).attempts).toMatchObject([{ error: expect.stringMatching(/cannot be opened/) }]);
    expect(lines).toMatchObject([{ level: 50, alert: 'webhook_secret_unreadable', endpoint: `entity ${casino}` }]);
    expect(endpoint.arrived).toEqual([]);
    post.room.targets.set(casino, targetAt(endpoint.url));
    await post.room.makeDue();
    await post.becomes('delivered', 2);
  });

  it('for want of its body is dead, and says so', async () => {
    const endpoint = await post.endpointOf(casino);
    await post.room.made(casino);
    await post.room.pool.query('DELETE FROM webhook_bodies');
    post.room.scheduler();
    await post.becomes('dead', 1);
    expect((await post.onlyDelivery()).attempts).toMatchObject([{ error: 'The body is not kept any more' }]);
    expect(endpoint.arrived).toEqual([]);
  });
});

describe('a rotation of the secret', () => {
  it('signs with the new one, and with the old one too until the overlap ends', async () => {
    const endpoint = await post.endpointOf(casino);
    const until = new Date(Date.now() + 60_000);
    const rotated = {
      secret: 'new',
      previousSecrets: [
        { secret: 'old', until },
        { secret: 'oldest', until: new Date(until.getTime() + 3_600_000) },
      ],
    };
    post.room.targets.set(casino, targetAt(endpoint.url, rotated));
    await post.room.made(casino);
    let clock = new Date();
    post.room.scheduler({ now: () => clock });
    await post.becomes('delivered', 1);
    clock = new Date(until.getTime() + 1);
    await redeliver(post.room.pool, (await post.onlyDelivery()).id);
    await post.becomes('delivered', 2);
    const genuine = endpoint.arrived.map(({ body, headers }) =>
      ['new', 'old', 'oldest'].map((secret) => verifyWebhook(body, headers, secret)),
    );
    expect(genuine).toEqual([
      [true, true, true],
      [true, false, true],
    ]);
  });
});
