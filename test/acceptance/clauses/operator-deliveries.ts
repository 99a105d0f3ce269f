import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  answers,
  type Delivery,
  type DepositHandle,
  deliveriesOf,
  done,
  type Endpoint,
  endpoints,
  eventually,
  type Hooked,
  hookedCasinos,
  patience,
  type Query,
  type Service,
  toldOf,
  unique,
  webhookOf,
} from '../harness/index.ts';

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const route = '/operator/webhook-deliveries';
const pending = 'transaction.pending';

export const operatorDeliveries = (service: Service): void => {
  const hooked = hookedCasinos(service, endpoints());

  /** Once the answers of the endpoint are written down. */
  const listed = (query: Query, count: number, status: Delivery['status'] = 'delivered') =>
    eventually(
      () => deliveriesOf(service, query),
      (deliveries) => deliveries.filter((delivery) => delivery.status === status).length >= count,
    );
  const tokenOf = async (role: string): Promise<string> =>
    String(done(await service.operator('POST', '/operator/tokens', { role, name: unique(role) })).token);

  describe('the list of deliveries', () => {
    let own: Hooked;
    let deposit: DepositHandle;
    beforeAll(async () => {
      own = await hooked();
      deposit = await own.casino.deposit();
      await deposit.pay();
    });

    it('shows each with its attempts', async () => {
      const all = await listed({ deposit_id: deposit.id }, 3);
      expect(all).toHaveLength(3);
      for (const delivery of all) {
        const { headers } = await webhookOf(own.endpoint, deposit, delivery.event);
        expect(delivery).toMatchObject({
          id: expect.any(Number),
          webhook_id: headers['x-webhook-id'],
          deposit_id: deposit.id,
          entity_id: own.casino.entityId,
          url: own.endpoint.url,
          status: 'delivered',
          attempts: [{ at: iso, status_code: 200, error: null, duration_ms: expect.any(Number) }],
          next_attempt_at: null,
        });
      }
      expect(all.map(({ event }) => event).sort()).toEqual(['deposit.received', pending, 'transaction.succeed']);
    });

    it('shows one that waits for its next attempt', async () => {
      const { casino } = await hooked({}, answers(500));
      const { id } = await casino.deposit();
      const attempted = await eventually(
        () => deliveriesOf(service, { deposit_id: id }),
        ([delivery]) => delivery?.attempts.length === 1,
      );
      expect(attempted).toMatchObject([
        { status: 'pending', attempts: [{ status_code: 500, error: null }], next_attempt_at: iso },
      ]);
    });

    it('shows an attempt together with what came of it', async () => {
      const { casino } = await hooked({}, answers(500));
      const player = await casino.player();
      const waits: number[] = [];
      for (let round = 0; round < 12; round += 1) {
        const { id } = await casino.deposit({}, player);
        let shown: Delivery | undefined;
        // As often as it can be asked, so that no moment in between is missed.
        for (const end = Date.now() + patience(); !shown?.attempts.length && Date.now() < end; ) {
          [shown] = await deliveriesOf(service, { deposit_id: id });
        }
        waits.push(Date.parse(shown?.next_attempt_at ?? '') - Date.parse(shown?.attempts[0]?.at ?? ''));
      }
      expect(waits.filter((ms) => !(ms > 3_900 && ms < 6_200))).toEqual([]);
    });

    it('filters by deposit, casino and status', async () => {
      const another = await own.casino.deposit();
      await listed({ entity_id: own.casino.entityId }, 4);
      const ids = async (query: Query) => (await deliveriesOf(service, query)).map(({ deposit_id }) => deposit_id);
      expect(await ids({ deposit_id: another.id })).toEqual([another.id]);
      expect(await ids({ entity_id: own.casino.entityId })).toHaveLength(4);
      expect(await ids({ entity_id: own.casino.entityId, status: 'delivered' })).toHaveLength(4);
      for (const status of ['pending', 'dead']) {
        expect(await ids({ entity_id: own.casino.entityId, status })).toEqual([]);
      }
      expect(await ids({ deposit_id: another.id, entity_id: 999_999_999 })).toEqual([]);
    });

    it('refuses a status that is none', async () => {
      expect((await service.operator('GET', `${route}?status=lost`)).status).toBe(400);
    });

    it('is complete, page by page', async () => {
      const { casino } = await hooked();
      const player = await casino.player();
      const made: number[] = [];
      for (let count = 0; count < 6; count += 1) made.push((await casino.deposit({}, player)).id);
      await listed({ entity_id: casino.entityId }, 6);
      const paged = await deliveriesOf(service, { entity_id: casino.entityId, limit: 2 });
      expect(paged.map(({ deposit_id }) => deposit_id).sort()).toEqual(made.sort());
    });

    it('shows one with its body as it was sent, why it went there, and the first 500 characters of each answer', async () => {
      const { casino, endpoint } = await hooked({}, answers(200, `\0${'ü'.repeat(600)}`));
      const { id } = await casino.deposit();
      const [sent] = await eventually(
        () => deliveriesOf(service, { deposit_id: id }),
        ([delivery]) => delivery?.status === 'delivered',
      );
      const [arrival] = await endpoint.arrived(() => true);
      const { body } = await service.operator('GET', `${route}/${sent?.id}`, undefined, await tokenOf('auditor'));
      expect(body).toMatchObject({
        ...sent,
        body: arrival?.raw.toString('utf8'),
        endpoint: `entity ${casino.entityId}`,
        reason: `casino ${casino.entityId} has a webhook URL of its own`,
        attempts: [{ status_code: 200, answer: `\uFFFD${'ü'.repeat(499)}` }],
      });
      expect((await service.operator('GET', `${route}/999999999`)).status).toBe(404);
      expect((await service.operator('GET', `${route}/x`)).status).toBe(400);
    });

    it('is for auditors too', async () => {
      const auditor = await tokenOf('auditor');
      const { status } = await service.operator('GET', `${route}?deposit_id=${deposit.id}`, undefined, auditor);
      expect(status).toBe(200);
    });
  });

  describe('a delivery that is sent again', () => {
    const again = (id: number, token?: string) => service.operator('POST', `${route}/${id}/redeliver`, {}, token);
    const replay = (json: unknown, token?: string) => service.operator('POST', `${route}/replay`, json, token);
    const both = async (endpoint: Endpoint, deposit: DepositHandle) => {
      const [first, second] = await toldOf(endpoint, deposit, 2);
      return [first, second].map((arrival) => [arrival?.headers['x-webhook-id'], arrival?.raw.toString('utf8')]);
    };

    it('is the same, with the same id, and each attempt is kept', async () => {
      const { casino, endpoint } = await hooked();
      const deposit = await casino.deposit();
      const [delivery] = await listed({ deposit_id: deposit.id }, 1);
      const { status } = await again(delivery?.id ?? 0);
      expect([status >= 200 && status < 300]).toEqual([true]);
      const [first, second] = await both(endpoint, deposit);
      expect(second).toEqual(first);
      const repeated = await eventually(
        () => deliveriesOf(service, { deposit_id: deposit.id }),
        ([now]) => now?.attempts.length === 2 && now.status === 'delivered',
      );
      expect(repeated).toMatchObject([
        { id: delivery?.id, status: 'delivered', attempts: [{ status_code: 200 }, { status_code: 200 }] },
      ]);
    });

    it('need not wait for its next attempt', async () => {
      const { casino, endpoint } = await hooked({}, answers(503, '', { 'Retry-After': '3600' }));
      const deposit = await casino.deposit();
      const [waiting] = await eventually(
        () => deliveriesOf(service, { deposit_id: deposit.id }),
        ([now]) => now?.attempts.length === 1,
      );
      endpoint.answer(answers(200));
      await again(waiting?.id ?? 0);
      expect(await toldOf(endpoint, deposit, 2)).toHaveLength(2);
      expect(await listed({ deposit_id: deposit.id }, 1)).toMatchObject([
        { status: 'delivered', next_attempt_at: null },
      ]);
    });

    it('is all of a casino since a time, and nothing older, and nothing of another', async () => {
      const [{ casino, endpoint }, other] = [await hooked(), await hooked()];
      const old = await casino.deposit();
      await listed({ deposit_id: old.id }, 1);
      const beside = await other.casino.deposit();
      await listed({ deposit_id: beside.id }, 1);
      const recent = [await casino.deposit(), await casino.deposit()];
      await listed({ entity_id: casino.entityId }, 3);
      const since = recent[0] ? (await recent[0].read()).created_at : '';
      const { status } = await replay({ entity_id: casino.entityId, since });
      expect([status >= 200 && status < 300]).toEqual([true]);
      for (const deposit of recent) {
        const [first, second] = await both(endpoint, deposit);
        expect(second).toEqual(first);
      }
      const untouched = async ({ id }: DepositHandle) => deliveriesOf(service, { deposit_id: id });
      for (const deposit of [old, beside]) {
        expect(await untouched(deposit)).toMatchObject([{ status: 'delivered', attempts: { length: 1 } }]);
      }
    });

    it('of a casino is counted before, and narrowed to a time, to events and to the dead', async () => {
      const { casino, endpoint } = await hooked();
      const deposit = await casino.deposit();
      const [delivery] = await listed({ deposit_id: deposit.id }, 1);
      const all = { entity_id: casino.entityId, since: '2020-01-01T00:00:00.000Z' };
      const counted = async (narrowed: object) => done(await replay({ ...all, dry_run: true, ...narrowed }));
      expect(await counted({})).toEqual({ replayed: 1 });
      for (const none of [
        { until: '2020-01-02T00:00:00.000Z' },
        { events: ['deposit.returned'] },
        { only: 'dead' },
        { since: '2099-01-01T00:00:00.000Z' },
      ])
        expect(await counted(none)).toEqual({ replayed: 0 });
      for (const wrong of [{ until: 'x' }, { events: ['nothing'] }, { only: 'some' }, { dry_run: 'yes' }])
        expect((await replay({ ...all, ...wrong })).status).toBe(400);
      expect(await deliveriesOf(service, { deposit_id: deposit.id })).toMatchObject([{ attempts: { length: 1 } }]);
      expect(done(await replay({ ...all, events: [delivery?.event], only: 'all' }))).toEqual({ replayed: 1 });
      const [first, second] = await both(endpoint, deposit);
      expect(second).toEqual(first);
    });

    it('is stopped: what had arrived is left alone, what never did is still tried', async () => {
      const { casino, endpoint } = await hooked();
      const arrived = await casino.deposit();
      await listed({ deposit_id: arrived.id }, 1);
      endpoint.answer(answers(503, '', { 'Retry-After': '3600' }));
      const since = '2020-01-01T00:00:00.000Z';
      expect(done(await replay({ entity_id: casino.entityId, since }))).toEqual({ replayed: 1 });
      const attempts = (count: number) =>
        eventually(
          () => deliveriesOf(service, { deposit_id: arrived.id }),
          ([now]) => now?.attempts.length === count && now.next_attempt_at !== null,
        );
      await attempts(2);
      const never = await casino.deposit();
      const stop = (token?: string) =>
        service.operator('POST', `${route}/stop-replay`, { entity_id: casino.entityId }, token);
      expect((await stop(await tokenOf('auditor'))).status).toBe(403);
      await eventually(
        () => deliveriesOf(service, { deposit_id: never.id }),
        (now) => now.length === 1,
      );
      expect(done(await stop())).toEqual({ stopped: 1 });
      expect(await deliveriesOf(service, { deposit_id: arrived.id })).toMatchObject([{ status: 'delivered' }]);
      expect(await deliveriesOf(service, { deposit_id: never.id })).toMatchObject([{ status: 'pending' }]);
      expect(done(await stop())).toEqual({ stopped: 0 });
    });

    it('since a time to come is nothing', async () => {
      const { casino } = await hooked();
      const deposit = await casino.deposit();
      await listed({ deposit_id: deposit.id }, 1);
      await replay({ entity_id: casino.entityId, since: '2099-01-01T00:00:00.000Z' });
      expect(await deliveriesOf(service, { deposit_id: deposit.id })).toMatchObject([{ status: 'delivered' }]);
    });

    it('is refused where there is none, and without a casino or a time', async () => {
      expect((await again(999_999_999)).status).toBe(404);
      for (const json of [{}, { entity_id: 1 }, { since: '2020-01-01T00:00:00.000Z' }, { entity_id: 1, since: 'x' }]) {
        expect((await replay(json)).status).toBe(400);
      }
    });

    it('is the work of ops and admin, of nobody else', async () => {
      const { casino, endpoint } = await hooked();
      const deposit = await casino.deposit();
      const [delivery] = await listed({ deposit_id: deposit.id }, 1);
      const since = '2020-01-01T00:00:00.000Z';
      for (const role of ['auditor', 'engine']) {
        const token = await tokenOf(role);
        expect((await again(delivery?.id ?? 0, token)).status).toBe(403);
        expect((await replay({ entity_id: casino.entityId, since }, token)).status).toBe(403);
      }
      expect((await again(delivery?.id ?? 0, await tokenOf('ops'))).status).toBeLessThan(300);
      expect(await toldOf(endpoint, deposit, 2)).toHaveLength(2);
    });
  });
};
