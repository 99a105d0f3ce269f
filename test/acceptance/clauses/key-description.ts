import { describe, expect, it } from '@jest/globals';
import {
  as,
  type Body,
  type Casino,
  newCasino,
  newEntity,
  newKey,
  partnerOf,
  type Service,
  verdict,
} from '../harness/index.ts';

type Described = {
  readonly key: Body;
  readonly affiliate: Body;
  readonly entity_scope: Body | null;
  readonly entities: readonly (Body & { readonly id: number; readonly webhook: Body | null })[];
};

const described = async ({ describe: ask }: Pick<Casino, 'describe'>) => as<Described>((await ask()).body);

const url = 'https://casino.example/hooks';

export const keyDescription = (service: Service): void => {
  describe('the description of a key', () => {
    it('has exactly the keys of the interface', async () => {
      const name = `key of ${Date.now()}`;
      const casino = await newCasino(service, { key: { name }, entity: { name: 'Palace', external_code: 'P-1' } });
      expect(verdict(await casino.describe())).toEqual({
        status: 200,
        key: { id: casino.keyId, name, mode: 'live', scope: 'admin', expires_at: null },
        affiliate: { id: casino.affiliateId, name: expect.any(String) },
        entity_scope: null,
        entities: [{ id: casino.entityId, name: 'Palace', external_code: 'P-1', status: 'enabled', webhook: null }],
      });
    });

    it('names test mode, expiry, a missing name and a missing code', async () => {
      const expires_at = '2098-07-01T10:00:00.000Z';
      const casino = await newCasino(service, { key: { mode: 'test', expires_at } });
      const { key, entities } = await described(casino);
      expect(key).toEqual({ id: casino.keyId, name: null, mode: 'test', scope: 'admin', expires_at });
      expect(entities[0]).toMatchObject({ external_code: null });
    });

    it('lists every casino of the affiliate, in any status, by id, and none of another', async () => {
      const casino = await newCasino(service);
      const second = await newEntity(service, casino.affiliateId, { status: 'disabled' });
      const third = await newEntity(service, casino.affiliateId, { status: 'active' });
      await newCasino(service);
      const { entities } = await described(casino);
      expect(entities.map(({ id, status }) => [id, status])).toEqual([
        [casino.entityId, 'enabled'],
        [second, 'disabled'],
        [third, 'enabled'],
      ]);
    });

    it('of a locked key names that casino alone', async () => {
      const { affiliateId } = await newCasino(service);
      const entity = await newEntity(service, affiliateId, { name: 'The Second' });
      const { key } = await newKey(service, affiliateId, { entity_id: entity });
      const { entity_scope, entities } = await described(partnerOf(service, key));
      expect(entity_scope).toEqual({ id: entity, name: 'The Second' });
      expect(entities.map(({ id }) => id)).toEqual([entity]);
    });

    it("does not show the casino's own mode", async () => {
      const { entities } = await described(await newCasino(service, { entity: { mode: 'test' } }));
      expect(Object.keys(entities[0] ?? {}).sort()).toEqual(['external_code', 'id', 'name', 'status', 'webhook']);
    });
  });

  describe('the webhook of a described casino', () => {
    const webhookOf = async (casino: Casino) => (await described(casino)).entities[0]?.webhook;

    it("is the casino's own, before that of any key", async () => {
      const webhook = { url };
      const casino = await newCasino(service, { entity: { webhook }, key: { webhook: { url: `${url}/key` } } });
      expect(await webhookOf(casino)).toEqual({ url, signed: true, source: 'entity_override' });
    });

    it('is not signed where no secret is wanted', async () => {
      const casino = await newCasino(service, { entity: { webhook: { url, signed: false } } });
      expect(await webhookOf(casino)).toEqual({ url, signed: false, source: 'entity_override' });
    });

    it('is that of an active key that covers the casino, a locked one first', async () => {
      const casino = await newCasino(service, { key: { webhook: { url } } });
      expect(await webhookOf(casino)).toEqual({ url, signed: true, source: 'api_key' });
      const { affiliateId, entityId } = casino;
      const webhook = { url: `${url}/locked` };
      const locked = await newKey(service, affiliateId, { entity_id: entityId, webhook });
      expect(await webhookOf(casino)).toEqual({ url: `${url}/locked`, signed: true, source: 'api_key' });
      await service.operator('PATCH', `/operator/api-keys/${locked.id}`, { status: 'inactive' });
      expect(await webhookOf(casino)).toEqual({ url, signed: true, source: 'api_key' });
    });

    it('is none where only a key of another casino has one', async () => {
      const casino = await newCasino(service);
      const other = await newEntity(service, casino.affiliateId);
      await newKey(service, casino.affiliateId, { entity_id: other, webhook: { url } });
      expect(await webhookOf(casino)).toBeNull();
    });

    it('tells no secret', async () => {
      const casino = await newCasino(service, {
        entity: { webhook: { url, secret: 'the-secret-of-the-casino' } },
        key: { webhook: { url, secret: 'the-secret-of-the-key' } },
      });
      const { text } = await casino.describe();
      expect(text).not.toContain('the-secret');
      expect(text).not.toContain(casino.key.split(':')[1]);
    });
  });
};
