import { describe, expect, it } from '@jest/globals';
import {
  type Arrival,
  type Body,
  type Casino,
  done,
  type Endpoint,
  endpoints,
  eventually,
  hookedCasinos,
  issuesOf,
  newCasino,
  type Service,
  signatureOf,
  webhookOf,
} from '../harness/index.ts';

const previousName = 'x-webhook-signature-previous';

export const webhookSecrets = (service: Service): void => {
  const open = endpoints();
  const hooked = hookedCasinos(service, open);

  const next = async (casino: Casino, endpoint: Endpoint): Promise<Arrival> =>
    webhookOf(endpoint, await casino.deposit(), 'transaction.pending');
  const signed = ({ headers, raw }: Arrival, secret: string) =>
    headers['x-webhook-signature'] === signatureOf(raw, secret);
  const rotate = async (path: string, json: Body): Promise<string> =>
    String(done(await service.operator('POST', `${path}/webhook-secret`, json)).webhook_secret);

  describe('a webhook secret', () => {
    it('that the operator makes is the text that was shown', async () => {
      const endpoint = await open();
      const casino = await newCasino(service);
      const change = { webhook: { url: endpoint.url } };
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, change);
      const secret = await rotate(`/operator/entities/${casino.entityId}`, {});
      expect(signed(await next(casino, endpoint), secret)).toBe(true);
    });

    it('is made with a casino, and signs at once', async () => {
      const endpoint = await open();
      const { affiliateId, key } = await newCasino(service);
      const made = done(
        await service.operator('POST', '/operator/entities', {
          affiliate_id: affiliateId,
          name: 'with a secret',
          fees: [],
          webhook: { url: endpoint.url },
        }),
      );
      const answer = await service.call('POST', '/casino/integration/test-webhook', {
        headers: { 'X-API-Key': key },
        json: { entity_id: made.id, event: 'deposit.accepted' },
      });
      const [arrival] = await endpoint.arrived(() => true);
      expect(answer.body.signature).toBe(signatureOf(arrival?.raw ?? Buffer.of(), String(made.webhook_secret)));
    });

    it('may be of any alphabet: its key is the UTF-8 of the text', async () => {
      const { casino, endpoint } = await hooked();
      const secret = 'ein-geheimes-Wört-玩家-🎲';
      const change = { webhook: { url: endpoint.url, secret } };
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, change);
      expect(signed(await next(casino, endpoint), secret)).toBe(true);
    });

    it('stays when the URL alone is changed', async () => {
      const { casino, endpoint, secret } = await hooked();
      const change = { webhook: { url: `${endpoint.url}/new` } };
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, change);
      const arrival = await next(casino, endpoint);
      expect([arrival.path, signed(arrival, secret)]).toEqual(['/hooks/new', true]);
    });

    it('of the URL, its user and password, is shown nowhere, and stays when the URL is sent back as it was shown', async () => {
      const { casino, endpoint } = await hooked();
      const path = `/operator/entities/${casino.entityId}`;
      const url = endpoint.url.replace('://', '://partner:hunter2@');
      const shown = done(await service.operator('PATCH', path, { webhook: { url } })).webhook as { url: string };
      expect(shown.url).toBe(endpoint.url.replace('://', '://***@'));
      done(await service.operator('PATCH', path, { webhook: { url: shown.url } }));
      const arrival = await next(casino, endpoint);
      expect(arrival.path).toBe(new URL(endpoint.url).pathname);
      expect(arrival.headers.authorization).toBe(`Basic ${Buffer.from('partner:hunter2').toString('base64')}`);
      const edited = { webhook: { url: `${shown.url}/moved` } };
      const { affiliateId: affiliate_id } = casino;
      for (const answer of [
        await service.operator('PATCH', path, edited),
        await service.operator('PATCH', path, { webhook: { url: url.replace('://', ':///') } }),
        await service.operator('POST', '/operator/entities', { affiliate_id, name: 'x', ...edited }),
        await service.operator('POST', '/operator/api-keys', { affiliate_id, scope: 'admin', ...edited }),
      ])
        expect([answer.status, issuesOf(answer)]).toMatchObject([400, [{ path: ['webhook', 'url'] }]]);
      const places = [path, '/operator/audit-trail', `/operator/webhook-deliveries?entity_id=${casino.entityId}`];
      const told = await Promise.all(places.map((place) => service.operator('GET', place)));
      const described = await casino.describe();
      for (const { status, text } of [...told, described]) {
        expect(status).toBe(200);
        expect(text).not.toContain('hunter2');
      }
      expect(described.text).toContain(shown.url);
    });

    it('of the URL, what stands behind its ?, is for those who set it and for the endpoint, and a change of it is recorded', async () => {
      const { casino, endpoint } = await hooked();
      const path = `/operator/entities/${casino.entityId}`;
      const set = async (token: string) =>
        done(await service.operator('PATCH', path, { webhook: { url: `${endpoint.url}?token=${token}` } }));
      await set('hunter3');
      expect((await set('hunter4')).webhook).toMatchObject({ url: `${endpoint.url}?token=hunter4` });
      expect((await next(casino, endpoint)).path).toBe(`${new URL(endpoint.url).pathname}?token=hunter4`);
      const trail = `/operator/audit-trail?subject=entity&subject_id=${casino.entityId}`;
      const { audit_trail: entries } = done(await service.operator('GET', trail)) as { audit_trail: unknown[] };
      expect(entries).toHaveLength(3);
      const auditor = done(await service.operator('POST', '/operator/tokens', { role: 'auditor', name: 'a' }));
      const list = `/operator/entities?affiliate_id=${casino.affiliateId}`;
      const places = [path, list, trail, `/operator/webhook-deliveries?entity_id=${casino.entityId}`];
      for (const place of places) {
        const told = await service.operator('GET', place, undefined, String(auditor.token));
        expect([told.status, told.text.includes(`${endpoint.url}?***`), told.text.includes('hunter')]).toEqual([
          ...[200, true, false],
        ]);
      }
    });

    it('is used no more once signing is off', async () => {
      const { casino, endpoint } = await hooked();
      const change = { webhook: { url: endpoint.url, signed: false } };
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, change);
      expect((await next(casino, endpoint)).headers).not.toHaveProperty('x-webhook-signature');
    });
  });

  describe('the rotation of a webhook secret', () => {
    it('with an overlap signs with the new one, and the old signature rides along', async () => {
      const { casino, endpoint, secret } = await hooked();
      const renewed = await rotate(`/operator/entities/${casino.entityId}`, { overlap_s: 600 });
      const arrival = await next(casino, endpoint);
      expect(renewed).not.toBe(secret);
      expect(signed(arrival, renewed)).toBe(true);
      expect(arrival.headers[previousName]).toBe(signatureOf(arrival.raw, secret));
    });

    it('lasts a day unless told', async () => {
      const { casino, endpoint, secret } = await hooked();
      const renewed = await rotate(`/operator/entities/${casino.entityId}`, {});
      const arrival = await next(casino, endpoint);
      expect(signed(arrival, renewed)).toBe(true);
      expect(arrival.headers[previousName]).toBe(signatureOf(arrival.raw, secret));
    });

    it('cuts no overlap short that is running', async () => {
      const { casino, endpoint, secret } = await hooked();
      const path = `/operator/entities/${casino.entityId}`;
      const second = await rotate(path, { overlap_s: 600 });
      const third = await rotate(path, { overlap_s: 1 });
      const over = await eventually(
        () => next(casino, endpoint),
        ({ headers, raw }) => !String(headers[previousName]).includes(signatureOf(raw, second)),
      );
      expect(signed(over, third)).toBe(true);
      expect(over.headers[previousName]).toBe(signatureOf(over.raw, secret));
    });

    it('without an overlap ends the old one at once, and every overlap that is running', async () => {
      const { casino, endpoint } = await hooked();
      const path = `/operator/entities/${casino.entityId}`;
      await rotate(path, { overlap_s: 600 });
      const renewed = await rotate(path, { overlap_s: 0 });
      const arrival = await next(casino, endpoint);
      expect(signed(arrival, renewed)).toBe(true);
      expect(arrival.headers).not.toHaveProperty(previousName);
    });

    it('ends the old one with the overlap', async () => {
      const { casino, endpoint, secret } = await hooked();
      const renewed = await rotate(`/operator/entities/${casino.entityId}`, { overlap_s: 2 });
      const during = await next(casino, endpoint);
      expect(during.headers[previousName]).toBe(signatureOf(during.raw, secret));
      const over = await eventually(
        () => next(casino, endpoint),
        ({ headers }) => headers[previousName] === undefined,
      );
      expect(over.headers).not.toHaveProperty(previousName);
      expect(signed(over, renewed)).toBe(true);
      expect(over.at - during.at).toBeLessThan(4_000);
    });

    it('of a key signs what goes to the URL of the key', async () => {
      const endpoint = await open();
      const secret = 'the-first-secret-of-the-key';
      const casino = await newCasino(service, { key: { webhook: { url: endpoint.url, secret } } });
      const renewed = await rotate(`/operator/api-keys/${casino.keyId}`, { overlap_s: 600 });
      const arrival = await next(casino, endpoint);
      expect(signed(arrival, renewed)).toBe(true);
      expect(arrival.headers[previousName]).toBe(signatureOf(arrival.raw, secret));
    });

    it('signs a test webhook as it signs a real one', async () => {
      const { casino, endpoint } = await hooked();
      const renewed = await rotate(`/operator/entities/${casino.entityId}`, { overlap_s: 600 });
      const json = { entity_id: casino.entityId, event: 'deposit.accepted' };
      const { body } = await casino.call('POST', '/casino/integration/test-webhook', { json });
      const [arrival] = await endpoint.arrived(() => true);
      expect(body.signature).toBe(signatureOf(arrival?.raw ?? Buffer.of(), renewed));
    });

    it('needs an overlap that is a number of seconds', async () => {
      const { casino } = await hooked();
      for (const overlap_s of [-1, '60']) {
        const path = `/operator/entities/${casino.entityId}/webhook-secret`;
        expect((await service.operator('POST', path, { overlap_s })).status).toBe(400);
      }
    });
  });
};
