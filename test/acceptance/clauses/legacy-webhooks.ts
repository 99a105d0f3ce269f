import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Arrival,
  type Body,
  canonical,
  done,
  type Endpoint,
  endpoints,
  engineOf,
  eventually,
  type LegacyPartner,
  namesOf,
  newEntity,
  newKey,
  newLegacyPartner,
  pinLegacyRates,
  type Service,
  signatureOf,
  unique,
} from '../harness/index.ts';

export const legacyWebhooks = (service: Service): void => {
  const open = endpoints();
  let partner: LegacyPartner;
  let endpoint: Endpoint;
  const secret = unique('secret');

  beforeAll(async () => {
    await pinLegacyRates(service);
    partner = await newLegacyPartner(service);
    endpoint = await open();
    await newKey(service, partner.affiliateId, { webhook: { url: endpoint.url, secret } });
  });

  const toldOf = (id: number, count: number): Promise<readonly Arrival[]> =>
    endpoint.arrived(({ body }) => body.transaction_id === id, count);

  describe('transaction.<status> of a legacy transaction', () => {
    it('goes to the URL of an active affiliate-wide key, signed, with null where there is no casino', async () => {
      const { body } = await partner.post('/create_transaction', partner.order());
      const id = Number(body.transaction_id);
      const engine = engineOf(service, id);
      const at = '2026-03-01T12:00:01.500Z';
      await engine.seen('0.25', { at });
      const [arrival] = await toldOf(id, 1);
      expect(arrival?.body).toEqual({
        event: 'transaction.pending',
        transaction_id: id,
        deposit_id: null,
        entity_id: null,
        entity_external_code: null,
        status: 'Pending',
        currency: 'BCH',
        crypto_amount: 0.25,
        confirmed_crypto: 0.25,
        usd_amount: 100,
        timestamp: Date.parse('2026-03-01T12:00:01Z') / 1_000,
      });
      const raw = arrival?.raw ?? Buffer.alloc(0);
      expect(arrival?.headers['x-webhook-signature']).toBe(signatureOf(raw, secret));
      expect(raw.toString('utf8')).toBe(canonical(arrival?.body));
    });

    it('tells every status but Started', async () => {
      const paid = await partner.create();
      await engineOf(service, paid).timedOut();
      const engine = engineOf(service, paid);
      await engine.seen('0.25');
      await engine.confirmed();
      expect(namesOf(await toldOf(paid, 4)).toSorted()).toEqual([
        'transaction.confirmed',
        'transaction.pending',
        'transaction.succeed',
        'transaction.timedout',
      ]);
      const gone = await partner.create();
      await partner.post('/cancel_transaction', { transaction_id: gone });
      expect(namesOf(await toldOf(gone, 1))).toEqual(['transaction.cancelled']);
    });

    it('is sent nowhere without such a key', async () => {
      const other = await newLegacyPartner(service);
      const casino = await open();
      const entityId = await newEntity(service, other.affiliateId, { webhook: { url: casino.url } });
      await newKey(service, other.affiliateId, { entity_id: entityId, webhook: { url: casino.url } });
      const id = await other.create();
      await engineOf(service, id).seen('0.25');
      const after = await partner.create();
      await engineOf(service, after).seen('0.25');
      await toldOf(after, 1);
      expect(casino.arrivals).toEqual([]);
    });

    it('is listed among the deliveries, and can be sent again, one or all', async () => {
      const id = await partner.create();
      const since = new Date().toISOString();
      await engineOf(service, id).seen('0.25');
      await toldOf(id, 1);
      const list = async (query: string) =>
        done(await service.operator('GET', `/operator/webhook-deliveries?${query}`)).deliveries as Body[];
      const [delivery] = await list(`transaction_id=${id}`);
      expect(delivery).toMatchObject({
        event: 'transaction.pending',
        transaction_id: id,
        affiliate_id: partner.affiliateId,
        deposit_id: null,
        entity_id: null,
        url: endpoint.url,
      });
      expect((await list(`affiliate_id=${partner.affiliateId}`)).length).toBeGreaterThan(1);
      // What is under way at this moment is not sent once more.
      const delivered = () =>
        eventually(
          () => list(`transaction_id=${id}`),
          ([one]) => one?.status === 'delivered',
        );
      await delivered();
      await service.operator('POST', `/operator/webhook-deliveries/${delivery?.id}/redeliver`);
      expect(await toldOf(id, 2)).toHaveLength(2);
      await delivered();
      const replay = { affiliate_id: partner.affiliateId, since };
      const { body } = await service.operator('POST', '/operator/webhook-deliveries/replay', replay);
      expect(body.replayed).toBe(1);
      const arrivals = await toldOf(id, 3);
      expect(new Set(arrivals.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    });
  });
};
