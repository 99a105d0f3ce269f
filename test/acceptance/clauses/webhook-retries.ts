import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type Arrival,
  answers,
  type Delivery,
  type DepositHandle,
  delayed,
  deliveriesOf,
  type Endpoint,
  endpoints,
  eventually,
  hang,
  hangUp,
  hookedCasinos,
  inTurn,
  type Manner,
  patience,
  type Service,
  toldOf,
  webhookOf,
} from '../harness/index.ts';

type Failing = { readonly endpoint: Endpoint; readonly deposit: DepositHandle };

const fine = answers(200);

/** Makes attempts that fail, and gives the cases that judge what became of them. */
export const webhookRetries = (service: Service): (() => void) => {
  const open = endpoints();
  const hooked = hookedCasinos(service, open);

  const failing = async (manner: Manner): Promise<Failing> => {
    const { casino, endpoint } = await hooked({}, manner);
    return { endpoint, deposit: await casino.deposit() };
  };
  const deliveryOf = async ({ id }: DepositHandle): Promise<Delivery | undefined> =>
    (await deliveriesOf(service, { deposit_id: id }))[0];
  const attempted = async (deposit: DepositHandle, times = 1, withinMs = patience()) => {
    await eventually(
      () => deliveryOf(deposit),
      (delivery) => (delivery?.attempts.length ?? 0) >= times,
      withinMs,
    );
    return deliveryOf(deposit);
  };
  const delivered = (deposit: DepositHandle) =>
    eventually(
      () => deliveryOf(deposit),
      (delivery) => delivery?.status === 'delivered',
    );
  /** Seconds from an attempt to the next, which is planned or made by now. */
  const planOf = (delivery: Delivery | undefined, attempt = 1): number => {
    const { attempts = [], next_attempt_at } = delivery ?? {};
    const next = attempts[attempt]?.at ?? next_attempt_at ?? '';
    return (Date.parse(next) - Date.parse(attempts[attempt - 1]?.at ?? '')) / 1000;
  };
  const twice = async ({ endpoint, deposit }: Failing): Promise<[Arrival, Arrival]> => {
    const [first, second] = await toldOf(endpoint, deposit, 2);
    if (!first || !second) throw new Error('no second attempt came');
    return [first, second];
  };
  /** Seconds from one to the other. */
  const waitOf = async (failed: Failing): Promise<number> => {
    const [first, second] = await twice(failed);
    return (second.at - first.at) / 1000;
  };

  const failed = new Map<string, Failing>();
  const failure = (name: string): Failing => {
    const found = failed.get(name);
    if (!found) throw new Error(`no attempt failed with ${name}`);
    return found;
  };
  let elsewhere: Endpoint;
  let hangingTest: Promise<Answer>;
  let letGo: (() => void) | undefined;
  // Who takes over from a sender that was killed is later than the plan that is judged here.
  beforeAll(async () => {
    letGo = await service.access().spareSenders?.();
  }, 120_000);
  afterAll(() => letGo?.());
  beforeAll(async () => {
    elsewhere = await open();
    const slow = await hooked({}, hang);
    const json = { entity_id: slow.casino.entityId, event: 'deposit.accepted' };
    hangingTest = slow.casino.call('POST', '/casino/integration/test-webhook', { json });
    const refusing = await hooked();
    await refusing.endpoint.refuse();
    const refused = { endpoint: refusing.endpoint, deposit: await refusing.casino.deposit() };
    failed.set('a refused connection', refused);
    // Beside the others, which may take longer than the second attempt is away.
    const listening = attempted(refused.deposit).then(() => refused.endpoint.listen());
    const manners = {
      'a 500': answers(500, 'no'),
      'a 404': answers(404),
      'a redirect': answers(302, '', { Location: elsewhere.url }),
      'no answer': hangUp,
      'a hanging answer': hang,
      'a 429': answers(429, '', { 'Retry-After': '8' }),
      'a 503': answers(503, '', { 'Retry-After': '8' }),
    };
    for (const [name, manner] of Object.entries(manners)) failed.set(name, await failing(inTurn(manner, fine)));
    failed.set('a 500 twice', await failing(answers(500)));
    await listening;
  });

  return () => {
    describe('an attempt that fails', () => {
      it.each(['a 500', 'a 404', 'a redirect', 'no answer'])(
        'is repeated after 5 seconds, a fifth more or less: %s',
        async (name) => {
          const wait = await waitOf(failure(name));
          expect(wait).toBeGreaterThan(3.9);
          // Up to 6 seconds, and a moment for the scheduler of a busy machine.
          expect(wait).toBeLessThan(8);
        },
      );

      it('is repeated after a refused connection', async () => {
        const { endpoint, deposit } = failure('a refused connection');
        const arrivals = await toldOf(endpoint, deposit, 1);
        const delivery = await delivered(deposit);
        expect(arrivals.map(({ headers }) => headers['x-webhook-id'])).toEqual([delivery?.webhook_id]);
        expect(delivery).toMatchObject({ status: 'delivered', next_attempt_at: null });
        // One, or two where nobody came to listen again in time; and none behind the one that arrived.
        const attempts = delivery?.attempts.toReversed() ?? [];
        const refusals = attempts.slice(1);
        expect(attempts[0]).toMatchObject({ status_code: 200, error: null });
        expect(refusals.length).toBeGreaterThan(0);
        expect(refusals).toEqual(
          refusals.map(() => expect.objectContaining({ status_code: null, error: expect.stringMatching(/./) })),
        );
      });

      it('is repeated with the same bytes and the same id, at its own time', async () => {
        const [first, second] = await twice(failure('a 500'));
        expect(second.raw.equals(first.raw)).toBe(true);
        expect(second.headers['x-webhook-id']).toBe(first.headers['x-webhook-id']);
        expect(second.headers['x-webhook-signature']).toBe(first.headers['x-webhook-signature']);
        const [one, other] = [first, second].map(({ headers }) => Number(headers['x-webhook-timestamp']));
        expect((other ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(3);
        expect(second.body.timestamp).toBe(first.body.timestamp);
      });

      it('is repeated until an answer of 2xx, and not after it', async () => {
        expect(await delivered(failure('a 500').deposit)).toMatchObject({
          status: 'delivered',
          attempts: [{ status_code: 500 }, { status_code: 200 }],
          next_attempt_at: null,
        });
      });

      it('a second time is repeated after 30 seconds, a fifth more or less', async () => {
        const delivery = await attempted(failure('a 500 twice').deposit, 2);
        expect(planOf(delivery, 2)).toBeGreaterThanOrEqual(23.9);
        expect(planOf(delivery, 2)).toBeLessThanOrEqual(38);
      });

      it('is one that is redirected: nobody follows it', async () => {
        await twice(failure('a redirect'));
        expect((await deliveryOf(failure('a redirect').deposit))?.attempts[0]).toMatchObject({ status_code: 302 });
        expect(elsewhere.connections()).toBe(0);
      });

      it.each([201, 204, 299])('is none that is answered %i', async (code) => {
        const { deposit } = await failing(answers(code));
        expect(await delivered(deposit)).toMatchObject({
          status: 'delivered',
          attempts: [{ status_code: code }],
          next_attempt_at: null,
        });
      });

      it('is none that is slow, and in time', async () => {
        const { deposit } = await failing(delayed(700, answers(200)));
        const delivery = await delivered(deposit);
        expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
        expect(delivery?.attempts[0]?.duration_ms).toBeGreaterThan(650);
      });

      it('by hanging delays the deliveries of no other casino', async () => {
        const slow = await hooked({}, hang);
        const player = await slow.casino.player();
        const waiting: DepositHandle[] = [];
        for (let count = 0; count < 12; count += 1) waiting.push(await slow.casino.deposit({}, player));
        await slow.endpoint.arrived(() => true);
        const quick = await hooked();
        const asked = Date.now();
        const { at } = await webhookOf(quick.endpoint, await quick.casino.deposit(), 'transaction.pending');
        expect(at - asked).toBeLessThan(3_000);
        const undone = await deliveriesOf(service, { entity_id: slow.casino.entityId, status: 'pending' });
        expect(undone).toHaveLength(waiting.length);
      });
    });

    describe('Retry-After', () => {
      it.each(['a 429', 'a 503'])('is honoured: %s', async (name) => {
        const wait = await waitOf(failure(name));
        expect(wait).toBeGreaterThan(7.9);
        expect(wait).toBeLessThan(11);
      });

      it.each<[string, number, string, number, number]>([
        ['of minutes is honoured', 503, '120', 119, 145],
        ['of more than an hour is an hour', 429, '7200', 3590, 3610],
        ['on another status is not looked at', 500, '120', 3.9, 6.1],
        ['that is no time is not looked at', 503, 'soon', 3.9, 6.1],
      ])('%s', async (_, code, retryAfter, least, most) => {
        const { deposit } = await failing(answers(code, '', { 'Retry-After': retryAfter }));
        const wait = planOf(await attempted(deposit));
        expect(wait).toBeGreaterThanOrEqual(least);
        expect(wait).toBeLessThanOrEqual(most);
      });

      it('that is a date is honoured', async () => {
        const date = new Date(Date.now() + 600_000).toUTCString();
        const { deposit } = await failing(answers(503, '', { 'Retry-After': date }));
        const { next_attempt_at } = (await attempted(deposit)) ?? {};
        expect(Math.abs(Date.parse(next_attempt_at ?? '') - Date.parse(date))).toBeLessThan(5_000);
      });
    });

    describe('without an answer', () => {
      const almost30 = 29_000;
      const hardly30 = 32_000;

      it('a delivery ends after 30 seconds, and is repeated', async () => {
        const { deposit } = failure('a hanging answer');
        const delivery = await attempted(deposit, 1, hardly30);
        const [attempt] = delivery?.attempts ?? [];
        expect(attempt).toMatchObject({ status_code: null, error: expect.stringMatching(/./) });
        expect(attempt?.duration_ms).toBeGreaterThan(almost30);
        expect(attempt?.duration_ms).toBeLessThan(hardly30);
        // Counted from the start of an attempt that took 30 seconds.
        expect(planOf(delivery)).toBeGreaterThanOrEqual(33.9);
      }, 45_000);

      it('a test ends after 30 seconds, and says so', async () => {
        const { status, body } = await hangingTest;
        expect([status, body]).toMatchObject([
          200,
          { delivered: false, status_code: null, response_excerpt: null, error: expect.stringMatching(/./) },
        ]);
        expect(body.duration_ms).toBeGreaterThan(almost30);
        expect(body.duration_ms).toBeLessThan(hardly30);
      }, 45_000);
    });
  };
};
