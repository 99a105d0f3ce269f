import { describe, expect, it } from '@jest/globals';
import { deliveriesOf, done, endpoints, eventually, newCasino, type Service } from '../harness/index.ts';

/** For a service that is not told to allow private addresses. */
export const publicAddresses = (service: Service): void => {
  const open = endpoints();

  describe('an address that is not public', () => {
    it.each([
      'http://127.0.0.1:PORT/hooks',
      'http://localhost:PORT/hooks',
      'http://2130706433:PORT/hooks',
      'http://0.0.0.0:PORT/hooks',
      'http://[::1]:PORT/hooks',
      'http://[::ffff:127.0.0.1]:PORT/hooks',
      'http://10.0.0.1/hooks',
      'http://172.16.0.1/hooks',
      'http://192.168.0.1/hooks',
      'http://169.254.169.254/latest/meta-data',
      'http://[fe80::1]/hooks',
      'http://[fd00::1]/hooks',
    ])('is not contacted by a test: %s', async (template) => {
      const endpoint = await open();
      const url = template.replace('PORT', new URL(endpoint.url).port);
      const casino = await newCasino(service, { entity: { webhook: { url } } });
      const json = { entity_id: casino.entityId, event: 'deposit.accepted' };
      expect(done(await casino.call('POST', '/casino/integration/test-webhook', { json }))).toMatchObject({
        url,
        delivered: false,
        status_code: null,
        response_excerpt: null,
        error: expect.stringMatching(/public/),
      });
      expect(endpoint.connections()).toBe(0);
    });

    it('is not contacted by a delivery', async () => {
      const endpoint = await open();
      const casino = await newCasino(service, { entity: { webhook: { url: endpoint.url } } });
      const { id } = await casino.deposit();
      const [delivery] = await eventually(
        () => deliveriesOf(service, { deposit_id: id }),
        ([now]) => now?.attempts.length === 1,
      );
      expect(delivery).toMatchObject({
        status: 'pending',
        attempts: [{ status_code: null, error: expect.stringMatching(/./) }],
      });
      expect(endpoint.connections()).toBe(0);
    });
  });
};
