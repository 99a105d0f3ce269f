import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Casino,
  type DepositHandle,
  deliveriesOf,
  type Endpoint,
  endpoints,
  type Hooked,
  hookedCasinos,
  newCasino,
  newEntity,
  newKey,
  type Service,
  signatureOf,
  toldOf,
  webhookOf,
} from '../harness/index.ts';

const pending = 'transaction.pending';

export const webhookDelivery = (service: Service): void => {
  const open = endpoints();
  const hooked = hookedCasinos(service, open);

  describe('a delivery', () => {
    let own: Hooked;
    let deposit: DepositHandle;
    beforeAll(async () => {
      own = await hooked();
      deposit = await (await own.casino.deposit()).settle();
    });

    it('is a POST of JSON to the URL', async () => {
      const { method, path, headers } = await webhookOf(own.endpoint, deposit, pending);
      expect([method, path, headers['content-type']]).toEqual(['POST', '/hooks', 'application/json']);
    });

    it('is signed over its bytes, in lower-case hex', async () => {
      const { raw, headers } = await webhookOf(own.endpoint, deposit, 'deposit.confirmed');
      expect(headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/);
      expect(headers['x-webhook-signature']).toBe(signatureOf(raw, own.secret));
      expect(headers).not.toHaveProperty('x-webhook-signature-previous');
    });

    it('of a real event is not marked as a test', async () => {
      const { headers, body } = await webhookOf(own.endpoint, deposit, pending);
      expect(headers).not.toHaveProperty('x-webhook-test');
      expect(body).not.toHaveProperty('test');
    });

    it('has an id that no other event has', async () => {
      const told = await toldOf(own.endpoint, deposit, 7);
      const ids = told.map(({ headers }) => headers['x-webhook-id']);
      expect(ids).toHaveLength(7);
      for (const id of ids) expect(id).toEqual(expect.stringMatching(/./));
      expect(new Set(ids).size).toBe(7);
    });

    it('names the second of its attempt', async () => {
      const { headers, at } = await webhookOf(own.endpoint, deposit, pending);
      expect(headers['x-webhook-timestamp']).toMatch(/^\d{10}$/);
      expect(Math.abs(Number(headers['x-webhook-timestamp']) - at / 1000)).toBeLessThan(3);
    });

    it('is unsigned where no secret is wanted', async () => {
      const endpoint = await open();
      const casino = await newCasino(service, { entity: { webhook: { url: endpoint.url, signed: false } } });
      const { headers } = await webhookOf(endpoint, await casino.deposit(), pending);
      expect(Object.keys(headers).filter((name) => name.startsWith('x-webhook-signature'))).toEqual([]);
      expect(headers).toMatchObject({ 'x-webhook-id': expect.any(String), 'x-webhook-timestamp': expect.any(String) });
    });
  });

  describe('the URL of a delivery', () => {
    const at = ({ url }: Endpoint, path: string) => ({ url: `${url}/${path}`, secret: `secret of ${path}` });
    const wentTo = async (endpoint: Endpoint, casino: Casino): Promise<[string, boolean]> => {
      const { path, raw, headers } = await webhookOf(endpoint, await casino.deposit(), pending);
      const name = path.replace('/hooks/', '');
      return [name, headers['x-webhook-signature'] === signatureOf(raw, `secret of ${name}`)];
    };

    it("is the casino's own, signed with its secret, before that of any key", async () => {
      const endpoint = await open();
      const casino = await newCasino(service, {
        entity: { webhook: at(endpoint, 'own') },
        key: { webhook: at(endpoint, 'wide') },
      });
      await newKey(service, casino.affiliateId, { entity_id: casino.entityId, webhook: at(endpoint, 'locked') });
      expect(await wentTo(endpoint, casino)).toEqual(['own', true]);
    });

    it('is that of a key which covers the casino, signed with the secret of the key', async () => {
      const endpoint = await open();
      const casino = await newCasino(service, { key: { webhook: at(endpoint, 'wide') } });
      expect(await wentTo(endpoint, casino)).toEqual(['wide', true]);
      await newKey(service, casino.affiliateId, { entity_id: casino.entityId, webhook: at(endpoint, 'locked') });
      expect(await wentTo(endpoint, casino)).toEqual(['locked', true]);
    });

    it.each([
      ['inactive', { status: 'inactive' }],
      ['revoked', { status: 'revoked' }],
      ['expired', { expires_at: '2020-01-01T00:00:00.000Z' }],
    ])('is not that of a key that is %s', async (_, change) => {
      const endpoint = await open();
      const casino = await newCasino(service, { key: { webhook: at(endpoint, 'wide') } });
      const { affiliateId, entityId } = casino;
      const locked = await newKey(service, affiliateId, { entity_id: entityId, webhook: at(endpoint, 'locked') });
      await service.operator('PATCH', `/operator/api-keys/${locked.id}`, change);
      expect(await wentTo(endpoint, casino)).toEqual(['wide', true]);
    });

    it('is none where there is none, and nothing is sent, not even later', async () => {
      const endpoint = await open();
      const casino = await newCasino(service);
      const other = await newEntity(service, casino.affiliateId);
      await newKey(service, casino.affiliateId, { entity_id: other, webhook: at(endpoint, 'of-another') });
      const deposit = await casino.deposit();
      // What comes after it in the log has arrived: by then its own would have been made.
      const marker = await hooked();
      await webhookOf(marker.endpoint, await marker.casino.deposit(), pending);
      expect(await deliveriesOf(service, { deposit_id: deposit.id })).toEqual([]);
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, { webhook: at(endpoint, 'own') });
      await deposit.pay();
      await toldOf(endpoint, deposit, 2);
      const made = await deliveriesOf(service, { deposit_id: deposit.id });
      expect(made.map(({ event }) => event).sort()).toEqual(['deposit.received', 'transaction.succeed']);
    });

    it('without any leaves decisions to be recorded', async () => {
      const deposit = await (await (await newCasino(service)).deposit()).settle();
      expect((await deposit.accept()).status).toBe(200);
      expect((await deposit.read()).decision).toBe('accepted');
    });

    it('that was changed is that of the next delivery', async () => {
      const endpoint = await open();
      const casino = await newCasino(service, { entity: { webhook: at(endpoint, 'first') } });
      expect(await wentTo(endpoint, casino)).toEqual(['first', true]);
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, { webhook: at(endpoint, 'second') });
      expect(await wentTo(endpoint, casino)).toEqual(['second', true]);
    });
  });
};
