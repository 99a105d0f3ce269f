import { describe, expect, it } from '@jest/globals';
import {
  type Body,
  done,
  newAffiliate,
  newCasino,
  newEntity,
  newKey,
  partnerOf,
  type Service,
  unique,
  validation,
  verdict,
} from '../harness/index.ts';

const url = 'https://casino.example/hooks';

export const operatorAccounts = (service: Service): void => {
  const post = (path: string, json?: unknown) => service.operator('POST', path, json);
  const patch = (path: string, json: unknown) => service.operator('PATCH', path, json);
  const get = async (path: string) => done(await service.operator('GET', path));
  const webhookOf = async (key: string) => {
    const { body } = await partnerOf(service, key).describe();
    const [entity] = body.entities as readonly { webhook: Body | null }[];
    return entity?.webhook;
  };

  describe('affiliates', () => {
    it('are made with a name alone, and have an id', async () => {
      const answer = await post('/operator/affiliates', { name: unique('affiliate') });
      expect([answer.status, answer.body]).toMatchObject([201, { id: expect.any(Number) }]);
    });

    it('are made with all that an operator sets, and shown so', async () => {
      const sent = { name: unique('affiliate'), currencies: ['BTC', 'ETH'], status: 'disabled' };
      const made = await post('/operator/affiliates', sent);
      expect(made.body).toMatchObject(sent);
      expect(await get(`/operator/affiliates/${made.body.id}`)).toMatchObject({ id: made.body.id, ...sent });
    });

    it('are changed field by field, in force at once', async () => {
      const { affiliateId, describe: ask } = await newCasino(service);
      const renamed = unique('renamed');
      expect((await patch(`/operator/affiliates/${affiliateId}`, { name: renamed })).body).toMatchObject({
        name: renamed,
      });
      expect((await ask()).body).toMatchObject({ affiliate: { id: affiliateId, name: renamed } });
    });

    it('have every currency unless told, and another list at once', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      for (const currency of ['BTC', 'LTC', 'ETH']) await casino.deposit({ currency }, player);
      await patch(`/operator/affiliates/${casino.affiliateId}`, { currencies: ['ETH'] });
      expect(verdict(await casino.create(casino.order(player)))).toEqual({
        status: 400,
        detail: 'BTC is not enabled for this affiliate',
      });
    });

    it.each<[string, Body]>([
      ['no name', {}],
      ['a name that is a number', { name: 1 }],
      ['an unknown status', { name: 'a', status: 'asleep' }],
      ['an unknown currency', { name: 'a', currencies: ['DOGE'] }],
    ])('are refused with %s', async (_, body) => {
      expect(verdict(await post('/operator/affiliates', body))).toEqual(validation);
    });

    it('that are not there are 404', async () => {
      for (const answer of [
        await service.operator('GET', '/operator/affiliates/999999999'),
        await patch('/operator/affiliates/999999999', { name: 'x' }),
      ]) {
        expect(verdict(answer)).toEqual({ status: 404, detail: expect.stringMatching(/./) });
      }
    });
  });

  describe('entities', () => {
    it('are made with their defaults', async () => {
      const affiliate_id = await newAffiliate(service);
      const { status, body } = await post('/operator/entities', { affiliate_id, name: 'Palace', fees: [] });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        id: expect.any(Number),
        affiliate_id,
        name: 'Palace',
        status: 'enabled',
        mode: 'live',
        no_conf_allowed: false,
        instant_allowed: false,
      });
      const caps = Object.entries(body.instant_caps as Body).map(([name, usd]) => [name, Number(usd)]);
      expect(Object.fromEntries(caps)).toEqual({
        first_usd: 500,
        returning_usd: 1500,
        received_first_usd: 600,
        received_returning_usd: 1600,
      });
    });

    it('are made with all that was sent', async () => {
      const affiliate_id = await newAffiliate(service);
      const sent = {
        affiliate_id,
        name: 'Grand',
        external_code: 'G-1',
        status: 'disabled',
        mode: 'test',
        no_conf_allowed: true,
        instant_allowed: true,
      };
      const { body } = await post('/operator/entities', { ...sent, fees: null });
      expect(body).toMatchObject({ ...sent, fees: null });
      expect(await get(`/operator/entities/${body.id}`)).toMatchObject({ ...sent, fees: null });
    });

    it('get a webhook secret that is shown once, unless one was sent or none is wanted', async () => {
      const affiliate_id = await newAffiliate(service);
      const make = async (webhook: Body) =>
        (await post('/operator/entities', { affiliate_id, name: 'x', fees: [], webhook })).body;
      const made = await make({ url });
      expect(made).toMatchObject({ webhook_secret: expect.stringMatching(/.{16,}/) });
      const shown = JSON.stringify(await get(`/operator/entities/${made.id}`));
      expect(shown).toContain(url);
      expect(shown).not.toContain(made.webhook_secret);
      expect(await make({ url, secret: 'a-secret-of-their-own' })).not.toHaveProperty(
        'webhook_secret',
        expect.any(String),
      );
      expect(await make({ url, signed: false })).not.toHaveProperty('webhook_secret', expect.any(String));
    });

    it('keep their webhook until it is replaced or removed', async () => {
      const { entityId, key } = await newCasino(service, { entity: { webhook: { url, secret: 'first-secret-1' } } });
      await patch(`/operator/entities/${entityId}`, { name: 'another' });
      expect(await webhookOf(key)).toMatchObject({ url, signed: true });
      await patch(`/operator/entities/${entityId}`, { webhook: { url: `${url}/2` } });
      expect(await webhookOf(key)).toMatchObject({ url: `${url}/2`, signed: true });
      await patch(`/operator/entities/${entityId}`, { webhook: { url, signed: false } });
      expect(await webhookOf(key)).toMatchObject({ url, signed: false });
      await patch(`/operator/entities/${entityId}`, { webhook: null });
      expect(await webhookOf(key)).toBeNull();
    });

    it('store fees as sent, with a warning where they are invalid', async () => {
      const { entityId } = await newCasino(service);
      const wrong = [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 1.5 }];
      const { status, body } = await patch(`/operator/entities/${entityId}`, { fees: wrong });
      expect([status, body]).toMatchObject([200, { fees: wrong, warnings: [expect.stringMatching(/./)] }]);
      expect(await get(`/operator/entities/${entityId}`)).toMatchObject({ fees: wrong });
      const right = await patch(`/operator/entities/${entityId}`, { fees: [] });
      expect(right.body.warnings ?? []).toEqual([]);
    });

    it('are listed for operators', async () => {
      const { entityId, affiliateId } = await newCasino(service, {
        entity: { webhook: { url, secret: 'secret-in-a-list' } },
      });
      const { text } = await service.operator('GET', `/operator/entities?affiliate_id=${affiliateId}`);
      expect(text).toContain(`"id":${entityId}`);
      expect(text).not.toContain('secret-in-a-list');
    });

    it('get a new webhook secret, with an overlap or none', async () => {
      const { entityId } = await newCasino(service, { entity: { webhook: { url } } });
      const path = `/operator/entities/${entityId}/webhook-secret`;
      const one = await post(path, { overlap_s: 60 });
      const two = await post(path, {});
      expect([one.status, two.status]).toEqual([201, 201]);
      expect(one.body.webhook_secret).toMatch(/.{16,}/);
      expect(two.body.webhook_secret).not.toBe(one.body.webhook_secret);
    });
  });

  describe('API keys', () => {
    it('are shown once, and kept as a hash', async () => {
      const affiliateId = await newAffiliate(service);
      const name = unique('key');
      const { status, body } = await post('/operator/api-keys', { affiliate_id: affiliateId, name, scope: 'admin' });
      expect([status, body]).toMatchObject([
        201,
        { id: expect.any(Number), key: expect.stringMatching(/^\d+:.{43,}$/) },
      ]);
      expect(String(body.key).split(':')[0]).toBe(String(body.id));
      const secret = String(body.key).split(':')[1] ?? '';
      for (const path of ['/operator/api-keys', `/operator/api-keys/${body.id}`]) {
        const { text } = await service.operator('GET', path);
        expect(text).not.toContain(secret);
      }
      expect(await get(`/operator/api-keys/${body.id}`)).toMatchObject({ id: body.id, name });
    });

    it('get a webhook of their own, with a secret shown once, and a new one', async () => {
      const affiliate_id = await newAffiliate(service);
      await newEntity(service, affiliate_id);
      const { body } = await post('/operator/api-keys', { affiliate_id, scope: 'admin', webhook: { url } });
      expect(body).toMatchObject({ webhook_secret: expect.stringMatching(/.{16,}/) });
      expect(await webhookOf(String(body.key))).toEqual({ url, signed: true, source: 'api_key' });
      const rotated = await post(`/operator/api-keys/${body.id}/webhook-secret`, {});
      expect([rotated.status, rotated.body]).toMatchObject([201, { webhook_secret: expect.any(String) }]);
      await patch(`/operator/api-keys/${body.id}`, { webhook: null });
      expect(await webhookOf(String(body.key))).toBeNull();
    });

    it('are renamed, and given an expiry that may be in the past', async () => {
      const affiliateId = await newAffiliate(service);
      const { id, key } = await newKey(service, affiliateId);
      await patch(`/operator/api-keys/${id}`, { name: 'till 3' });
      expect((await partnerOf(service, key).describe()).body).toMatchObject({ key: { name: 'till 3' } });
      await patch(`/operator/api-keys/${id}`, { expires_at: '2020-01-01T00:00:00.000Z' });
      expect((await partnerOf(service, key).describe()).body).toEqual({
        detail: 'API key has expired',
        code: 'api_key_expired',
      });
      await patch(`/operator/api-keys/${id}`, { expires_at: null });
      expect((await partnerOf(service, key).describe()).status).toBe(200);
    });

    it.each<[string, Body]>([
      ['an unknown scope', { scope: 'root' }],
      ['an unknown mode', { mode: 'demo' }],
      ['an affiliate that is text', { affiliate_id: 'x' }],
    ])('are refused with %s', async (_, fields) => {
      const affiliate_id = await newAffiliate(service);
      expect(verdict(await post('/operator/api-keys', { affiliate_id, scope: 'admin', ...fields }))).toEqual(
        validation,
      );
    });

    it('are made for no affiliate that is not there, and no casino of another', async () => {
      const affiliate_id = await newAffiliate(service);
      const { entityId } = await newCasino(service);
      for (const fields of [{ affiliate_id: 999_999_999 }, { affiliate_id, entity_id: entityId }]) {
        const { status } = await post('/operator/api-keys', { scope: 'admin', ...fields });
        expect([fields, status >= 400 && status < 500]).toEqual([fields, true]);
      }
    });
  });
};
