import { describe, expect, it } from '@jest/globals';
import {
  as,
  type Body,
  type Deposit,
  done,
  newCasino,
  type Service,
  transactionId,
  verdict,
} from '../harness/index.ts';

type Page = { readonly deposits: readonly Deposit[]; readonly next_cursor: string | null };

type Recorded = {
  readonly revision: number;
  readonly position: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly data: unknown;
  readonly hash: string;
  readonly prev_hash: string | null;
};

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const operatorDeposits = (service: Service): void => {
  const page = async (query: Record<string, string | number>) => {
    const words = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return as<Page>(done(await service.operator('GET', `/operator/deposits?${new URLSearchParams(words)}`)));
  };
  const eventsOf = async (id: number) =>
    as<{ events: readonly Recorded[] }>(done(await service.operator('GET', `/operator/deposits/${id}/events`))).events;

  describe("the operators' list of deposits", () => {
    it('shows the Deposit objects of a casino as the partner sees them', async () => {
      const casino = await newCasino(service);
      const deposit = await casino.deposit();
      const { deposits, next_cursor } = await page({ entity_id: casino.entityId });
      expect(deposits).toEqual([await deposit.read()]);
      expect(next_cursor).toBeNull();
    });

    it('filters by status, decision, currency, player and screening', async () => {
      const casino = await newCasino(service);
      const open = await casino.deposit({ currency: 'LTC' });
      const player = await casino.player();
      const accepted = await (await casino.deposit({}, player)).settle();
      await accepted.accept();
      const found = async (query: Record<string, string>) =>
        (await page({ entity_id: casino.entityId, ...query })).deposits.map(({ id }) => id);
      expect(await found({ status: 'Confirmed' })).toEqual([accepted.id]);
      expect(await found({ status: 'Pending' })).toEqual([open.id]);
      expect(await found({ decision: 'accepted' })).toEqual([accepted.id]);
      expect(await found({ currency: 'LTC' })).toEqual([open.id]);
      expect(await found({ gambler_ref: player.gambler_ref })).toEqual([accepted.id]);
      expect(await found({ kyt_status: 'passed' })).toEqual([accepted.id]);
      expect(await found({ ofac_status: 'pending' })).toEqual([open.id]);
      expect(await found({ from: '2099-01-01T00:00:00.000Z' })).toEqual([]);
      expect(await found({ to: '2020-01-01T00:00:00.000Z' })).toEqual([]);
      const { decision_at } = await accepted.read();
      expect(await found({ decided_from: String(decision_at), decided_to: String(decision_at) })).toEqual([
        accepted.id,
      ]);
      expect(await found({ decided_from: '2099-01-01T00:00:00.000Z' })).toEqual([]);
      expect((await found({ from: '2020-01-01T00:00:00.000Z', to: '2099-01-01T00:00:00.000Z' })).length).toBe(2);
    });

    it('filters by who decided, who is shown by name', async () => {
      const casino = await newCasino(service, { key: { name: 'Production' } });
      const [open, accepted] = [await casino.deposit(), await (await casino.deposit()).settle()];
      await accepted.accept();
      const failed = await (await casino.deposit()).settle();
      await failed.kyt('failed', 20);
      const actor = `api key ${casino.keyId}`;
      const listed = async (query: Record<string, string>) => {
        const words = new URLSearchParams({ entity_id: String(casino.entityId), ...query });
        const { deposits, decided_by } = done(await service.operator('GET', `/operator/deposits?${words}`));
        return { ids: (deposits as readonly Body[]).map(({ id }) => id), decided_by };
      };
      const own = { deposit_id: accepted.id, actor, name: 'Production' };
      expect(await listed({ actor })).toEqual({ ids: [accepted.id], decided_by: [own] });
      expect((await listed({})).ids).toEqual([failed.id, accepted.id, open.id]);
      const { decided_by } = await listed({ decision: 'frozen' });
      expect(decided_by).toMatchObject([{ deposit_id: failed.id, actor: expect.any(String) }]);
      expect((await listed({ actor: 'api key 999999999' })).ids).toEqual([]);
    });

    it('is paged by its cursor, without gaps and repeats', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const made: number[] = [];
      for (let count = 0; count < 7; count += 1) made.push((await casino.deposit({}, player)).id);
      const seen: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null && seen.length <= made.length) {
        const part: Page = await page({ entity_id: casino.entityId, limit: 3, ...(cursor === '' ? {} : { cursor }) });
        seen.push(...part.deposits.map(({ id }) => id));
        cursor = part.next_cursor;
      }
      expect(seen.toSorted((a, b) => a - b)).toEqual(made);
    });

    it('refuses a cursor that is none', async () => {
      const { status } = await service.operator('GET', '/operator/deposits?cursor=%00nonsense');
      expect([400, 200]).toContain(status);
    });
  });

  describe('the events of a deposit', () => {
    it('are all of its history in order, hash-chained', async () => {
      const deposit = await (await (await newCasino(service)).deposit()).settle();
      await deposit.accept();
      const events = await eventsOf(deposit.id);
      expect(events.length).toBeGreaterThanOrEqual(5);
      expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index));
      expect(events.map(({ prev_hash }) => prev_hash)).toEqual([null, ...events.slice(0, -1).map(({ hash }) => hash)]);
      expect(new Set(events.map(({ hash }) => hash)).size).toBe(events.length);
      expect(new Set(events.map(({ position }) => position)).size).toBe(events.length);
      for (const event of events) {
        expect(event).toMatchObject({
          position: expect.any(String),
          type: expect.stringMatching(/./),
          occurred_at: iso,
          data: expect.any(Object),
          hash: expect.stringMatching(/^.{32,}$/),
        });
      }
    });

    it('are left alone by a refusal and by a signal that is ignored', async () => {
      const deposit = await (await newCasino(service)).deposit();
      await deposit.pay();
      const before = await eventsOf(deposit.id);
      await deposit.accept();
      await deposit.freeze();
      await deposit.pay();
      expect(await eventsOf(deposit.id)).toEqual(before);
    });

    it('are 404 for a deposit that is not there', async () => {
      const answer = await service.operator('GET', '/operator/deposits/999999999/events');
      expect(verdict(answer)).toEqual({ status: 404, detail: 'Deposit not found' });
    });
  });

  describe('the review of KYT by an operator', () => {
    const review = (id: number, json: Body) => service.operator('POST', `/operator/deposits/${id}/kyt-review`, json);

    it('answers with the Deposit object, and is in the history', async () => {
      const deposit = await (await (await newCasino(service)).deposit()).settle();
      await deposit.kyt('review', 15);
      const { status, body } = await review(deposit.id, { result: 'passed', note: 'the documents are in order' });
      expect(status).toBe(200);
      expect(body).toEqual(await deposit.read());
      expect(body).toMatchObject({ status: 'ConfirmedApproved', kyt_status: 'passed', decision: 'pending' });
      expect(JSON.stringify(await eventsOf(deposit.id))).toContain('the documents are in order');
    });

    it('is of the money that was looked at: what came since, of whomever, is looked at first', async () => {
      const deposit = await (await newCasino(service)).deposit();
      await deposit.pay({ amount: '0.00001', funding: ['of-dust'] });
      await deposit.kyt('review', 5, '0.4');
      const pass = async () => {
        const seen_revision = (await eventsOf(deposit.id)).at(-1)?.revision;
        return () => review(deposit.id, { result: 'passed', kyt_status: 'review', seen_revision });
      };
      const looked = await pass();
      await deposit.pay({ txid: transactionId(), amount: '5', minute: 6, funding: ['never-screened'] });
      expect(await deposit.kyt('review', 7, '0.4')).toBe('ignored');
      expect(await looked()).toMatchObject({ status: 409, body: { code: 'kyt_stands_otherwise' } });
      expect(await (await pass())()).toMatchObject({ status: 200, body: { kyt_status: 'passed' } });
    });

    it.each<[string, Body]>([
      ['no result', { note: 'x' }],
      ['an unknown result', { result: 'maybe', note: 'x' }],
    ])('is refused with %s', async (_, json) => {
      const deposit = await (await newCasino(service)).deposit();
      expect(verdict(await review(deposit.id, json))).toMatchObject({ status: 400, success: false });
    });

    it('is 404 for a deposit that is not there', async () => {
      expect(verdict(await review(999_999_999, { result: 'passed', note: 'x' }))).toEqual({
        status: 404,
        detail: 'Deposit not found',
      });
    });
  });
};
