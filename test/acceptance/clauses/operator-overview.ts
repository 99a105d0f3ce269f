import { describe, expect, it } from '@jest/globals';
import {
  answers,
  type Body,
  done,
  endpoints,
  eventually,
  hookedCasinos,
  newCasino,
  type Service,
  unique,
  uniquePhone,
} from '../harness/index.ts';

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** What operators see of the whole at a glance. */
export const operatorOverview = (service: Service): void => {
  const hooked = hookedCasinos(service, endpoints());
  const tokenOf = async (role: string): Promise<string> =>
    String(done(await service.operator('POST', '/operator/tokens', { role, name: unique(role) })).token);
  const read = async (path: string, token?: string) => done(await service.operator('GET', path, undefined, token));

  /** Page by page: there may be many of other cases. */
  const all = async (path: string, items: string, token?: string): Promise<Body[]> => {
    const found: Body[] = [];
    for (let cursor = ''; ; ) {
      const page = await read(`${path}?limit=500${cursor && `&cursor=${cursor}`}`, token);
      found.push(...(page[items] as Body[]));
      if (page.next_cursor === null || page.next_cursor === undefined) return found;
      cursor = String(page.next_cursor);
    }
  };

  describe('the names of casinos', () => {
    it('are for ops too, who may see no account', async () => {
      const name = unique('Casino');
      const { entityId, affiliateId } = await newCasino(service, { entity: { name, mode: 'test' } });
      const own = { id: entityId, affiliate_id: affiliateId, name, mode: 'test', status: 'enabled' };
      for (const role of ['ops', 'auditor'])
        expect(await all('/operator/casinos', 'casinos', await tokenOf(role))).toContainEqual(own);
      const ofAffiliate = await read(`/operator/casinos?affiliate_id=${affiliateId}`);
      expect(ofAffiliate).toEqual({ casinos: [own], next_cursor: null });
      const engine = await service.operator('GET', '/operator/casinos', undefined, await tokenOf('engine'));
      expect(engine.status).toBe(403);
    });
  });

  describe('the list of players', () => {
    it('is narrowed to where their verification stands', async () => {
      const { entityId } = await newCasino(service);
      for (const kyc of ['pending', 'verified', 'rejected', 'none'])
        done(await service.operator('PUT', '/operator/players', { entity_id: entityId, gambler_ref: kyc, kyc }));
      for (const kyc of ['pending', 'verified', 'rejected', 'none']) {
        const { players } = await read(`/operator/players?entity_id=${entityId}&kyc=${kyc}`);
        expect(players).toMatchObject([{ gambler_ref: kyc, kyc }]);
      }
      expect((await service.operator('GET', '/operator/players?kyc=perhaps')).status).toBe(400);
    });

    it('shows of a phone the end alone, and all of it to whoever is put on record for that', async () => {
      const { entityId } = await newCasino(service);
      const ref = { entity_id: entityId, gambler_ref: unique('player') };
      const phone = uniquePhone();
      done(await service.operator('PUT', '/operator/players', { ...ref, kyc: 'verified', phone }));
      const { players } = await read(`/operator/players?entity_id=${entityId}`, await tokenOf('auditor'));
      expect(players).toMatchObject([{ phone: `…${phone.slice(-3)}` }]);
      expect(done(await service.operator('POST', '/operator/players/reveal', ref)).phone).toBe(phone);
      const trail = await read(`/operator/audit-trail?subject=player&subject_id=${entityId}/${ref.gambler_ref}`);
      expect((trail.audit_trail as readonly Body[])[0]?.after).toEqual({ phone_shown: true });
    });
  });

  describe('the totals', () => {
    it('say how many deposits a casino has, how they were decided, and what the accepted are worth', async () => {
      const casino = await newCasino(service);
      const stats = async () => (await read(`/operator/stats?entity_id=${casino.entityId}`)).stats;
      expect(await stats()).toEqual([]);
      const player = await casino.player();
      const accepted = await (await casino.deposit({}, player)).settle();
      await accepted.accept();
      await casino.deposit({ currency: 'LTC' }, player);
      const settled = await read(`/operator/settlements?entity_id=${casino.entityId}`);
      expect(await stats()).toEqual([
        { decision: 'accepted', currency: 'BTC', deposits: 1, entity_net_usd: settled.total_usd },
        { decision: 'pending', currency: 'LTC', deposits: 1, entity_net_usd: 0 },
      ]);
      const ofAll = (await read('/operator/stats?stale=allow')).stats as Body[];
      expect(ofAll.find(({ decision, currency }) => decision === 'accepted' && currency === 'BTC')).toMatchObject({
        deposits: expect.any(Number),
      });
    });
  });

  describe('the instances', () => {
    it('are the processes that run, and what of the service each of them is', async () => {
      const token = await tokenOf('ops');
      const expected = ['api', 'engine', 'notifier', 'operator', 'projector'];
      const seen = await eventually(
        async () => (await read('/operator/instances', token)).instances as Body[],
        (instances) => expected.every((app) => instances.some(({ apps }) => (apps as string[]).includes(app))),
      );
      expect(seen.flatMap(({ apps }) => apps)).toEqual(expect.arrayContaining(expected));
      for (const instance of seen) {
        const { version, host, pid, started_at, seen_at } = instance;
        expect([version, host]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/), expect.stringMatching(/./)]);
        expect([pid, started_at, seen_at]).toEqual([expect.any(Number), iso, iso]);
      }
      expect(seen.some(({ alive }) => alive)).toBe(true);
    });
  });

  describe('the health of endpoints', () => {
    const healthOf = (entityId: number, isSo: (health: Body) => boolean): Promise<Body> =>
      eventually(
        async () => {
          const listed = await all('/operator/webhook-endpoints', 'endpoints');
          return listed.find(({ entity_id }) => entity_id === entityId) ?? {};
        },
        (health) => isSo(health),
      );

    it('says of one that takes its webhooks when it did so last', async () => {
      const { casino, endpoint } = await hooked();
      await casino.deposit();
      expect(await healthOf(casino.entityId, ({ waiting }) => waiting === 0)).toEqual({
        ...{ endpoint: `entity ${casino.entityId}`, entity_id: casino.entityId, api_key_id: null, url: endpoint.url },
        ...{ state: 'ok', failing_since: null, last_success_at: iso, last_failure_at: null, last_failure: null },
        ...{ waiting: 0, dead: 0, oldest_waiting_at: null, next_attempt_at: null },
      });
    });

    it('says of one that fails since when, why, and how much waits for how long', async () => {
      const { casino, endpoint } = await hooked({}, answers(503));
      await casino.deposit();
      const failing = await healthOf(casino.entityId, ({ state }) => state === 'failing');
      expect(failing).toMatchObject({
        ...{ state: 'failing', failing_since: iso, last_success_at: null, last_failure_at: iso },
        ...{ last_failure: 'status 503', waiting: 1, oldest_waiting_at: iso, next_attempt_at: iso },
      });
      endpoint.answer(answers(200));
      await casino.deposit({}, await casino.player());
      const back = await healthOf(casino.entityId, ({ state }) => state === 'ok');
      expect(back).toMatchObject({ failing_since: null, last_success_at: iso, last_failure: 'status 503' });
    });

    it('is in the inbox while it fails and something waits for it', async () => {
      const { casino, endpoint } = await hooked({}, answers(503));
      await casino.deposit();
      await healthOf(casino.entityId, ({ state }) => state === 'failing');
      const both = async (): Promise<readonly [listed: number, inInbox: unknown]> => {
        const listed = await all('/operator/webhook-endpoints', 'endpoints');
        const isDown = ({ state, waiting }: Body) => state === 'failing' && Number(waiting) > 0;
        const waiting = (await read('/operator/inbox')).waiting as Body[];
        const down = waiting.find(({ kind }) => kind === 'endpoint_down');
        return [listed.filter(isDown).length, down?.count];
      };
      const [listed, inInbox] = await eventually(both, ([one, other]) => one === other);
      expect([inInbox, listed > 0]).toEqual([listed, true]);
      endpoint.answer(answers(200));
    });

    it('is asked for by state', async () => {
      const failing = (await read('/operator/webhook-endpoints?state=failing&limit=500')).endpoints as Body[];
      expect(failing.filter(({ state }) => state !== 'failing')).toEqual([]);
      expect((await service.operator('GET', '/operator/webhook-endpoints?state=asleep')).status).toBe(400);
    });
  });
};
