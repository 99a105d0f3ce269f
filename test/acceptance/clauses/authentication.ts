import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Casino, newCasino, partnerOf, type Service, unique, verdict } from '../harness/index.ts';

export const endpoints: readonly (readonly [string, string])[] = [
  ['POST', '/casino/deposit_address'],
  ['GET', '/casino/deposit/1'],
  ['GET', '/casino/deposits'],
  ['POST', '/casino/deposit/1/accept'],
  ['POST', '/casino/deposit/1/return'],
  ['POST', '/casino/deposit/1/freeze'],
  ['GET', '/casino/integration/key'],
  ['POST', '/casino/integration/test-webhook'],
];

export const authentication = (service: Service): void => {
  describe('the credential', () => {
    let casino: Casino;
    beforeAll(async () => {
      casino = await newCasino(service);
    });
    const answerTo = async (key: string) => verdict(await partnerOf(service, key).describe());
    const patchKey = (id: number, fields: object) => service.operator('PATCH', `/operator/api-keys/${id}`, fields);

    it.each(endpoints)('is missing: %s %s', async (method, path) => {
      const answer = await service.call(method, path);
      expect(verdict(answer)).toEqual({ status: 401, detail: 'Token or API key missing' });
    });

    it('is missing even where the body is wrong and the id is none', async () => {
      const answer = await service.call('POST', '/casino/deposit/abc/accept', { json: { adjust_to_received: 1 } });
      expect(verdict(answer)).toEqual({ status: 401, detail: 'Token or API key missing' });
    });

    it.each(['abc:def', 'a:b:c', ':secret', '12:', '1x:secret', '-1:secret'])('has no format: %s', async (key) => {
      expect(await answerTo(key)).toEqual({ status: 401, detail: 'Invalid API key format' });
    });

    it('matches no key: an unknown id, another secret, a key without a colon', async () => {
      const invalid = { status: 401, detail: 'Invalid API key' };
      expect(await answerTo('999999999:secret')).toEqual(invalid);
      expect(await answerTo(`${casino.keyId}:another`)).toEqual(invalid);
      expect(await answerTo(`${casino.key}x`)).toEqual(invalid);
      expect(await answerTo('no-colon-at-all')).toEqual(invalid);
      expect(await answerTo(`99999999999999999999999999:${'s'.repeat(40)}`)).toEqual(invalid);
    });

    it('has expired', async () => {
      const { key } = await newCasino(service, { key: { expires_at: '2020-01-01T00:00:00.000Z' } });
      expect(await answerTo(key)).toEqual({ status: 401, detail: 'API key has expired' });
    });

    it('serves until its expiry', async () => {
      const { key } = await newCasino(service, { key: { expires_at: '2099-01-01T00:00:00.000Z' } });
      expect(await answerTo(key)).toMatchObject({ status: 200, key: { expires_at: '2099-01-01T00:00:00.000Z' } });
    });

    it('was deactivated or revoked, in force at once, and active again', async () => {
      const { key, keyId } = await newCasino(service);
      await patchKey(keyId, { status: 'inactive' });
      expect(await answerTo(key)).toEqual({ status: 401, detail: 'API key is inactive' });
      await patchKey(keyId, { status: 'active' });
      expect(await answerTo(key)).toMatchObject({ status: 200 });
      await patchKey(keyId, { status: 'revoked' });
      expect(await answerTo(key)).toEqual({ status: 401, detail: 'API key is revoked' });
    });

    it('has expired before it is inactive', async () => {
      const { key, keyId } = await newCasino(service, { key: { expires_at: '2020-01-01T00:00:00.000Z' } });
      await patchKey(keyId, { status: 'inactive' });
      expect(await answerTo(key)).toEqual({ status: 401, detail: 'API key has expired' });
    });

    it.each(['disabled', 'archived'])('belongs to an affiliate that is %s', async (status) => {
      const { key, affiliateId } = await newCasino(service);
      await service.operator('PATCH', `/operator/affiliates/${affiliateId}`, { status });
      expect(await answerTo(key)).toEqual({ status: 403, detail: `Affiliate account is ${status}` });
    });

    it('is refused before its affiliate', async () => {
      const { key, keyId, affiliateId } = await newCasino(service);
      await service.operator('PATCH', `/operator/affiliates/${affiliateId}`, { status: 'disabled' });
      await patchKey(keyId, { status: 'revoked' });
      expect(await answerTo(key)).toEqual({ status: 401, detail: 'API key is revoked' });
    });
  });

  describe('a bearer token on a casino endpoint', () => {
    const asBearer = async (token: string, path = '/casino/deposits?entity_id=1') =>
      verdict(await service.call('GET', path, { headers: { Authorization: `Bearer ${token}` } }));
    const newToken = async (fields: object = {}) =>
      (await service.operator('POST', '/operator/tokens', { role: 'admin', name: unique('token'), ...fields })).body;

    it('is unknown', async () => {
      expect(await asBearer('nobody-knows-it')).toEqual({ status: 401, detail: 'Invalid or expired token' });
    });

    it('has expired', async () => {
      const { token } = await newToken({ expires_at: '2020-01-01T00:00:00.000Z' });
      expect(await asBearer(String(token))).toEqual({ status: 401, detail: 'Invalid or expired token' });
    });

    it('was revoked', async () => {
      const { id, token } = await newToken();
      await service.operator('PATCH', `/operator/tokens/${id}`, { status: 'revoked' });
      expect(await asBearer(String(token))).toEqual({ status: 401, detail: 'Token has been revoked' });
    });

    it('is valid, and opens none of them', async () => {
      for (const [method, path] of endpoints.filter(([, path]) => path !== '/casino/integration/key')) {
        const answer = await service.operator(method, path, method === 'POST' ? {} : undefined);
        expect(verdict(answer)).toEqual({ status: 403, detail: 'Insufficient permissions for this endpoint' });
      }
    });

    it('is valid, and no API key to describe', async () => {
      expect(await asBearer(service.access().operatorToken, '/casino/integration/key')).toEqual({
        status: 400,
        detail: 'This endpoint describes an API key; authenticate with X-API-Key',
      });
    });
  });
};
