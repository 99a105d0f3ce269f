import { describe, expect, it } from '@jest/globals';
import { type Body, type Casino, newCasino, type Service, validation, verdict } from '../harness/index.ts';

const tested = '/casino/integration/test-webhook';

/** What is refused before anything is sent; deliveries have their own clauses. */
export const integrationTools = (service: Service): void => {
  const test = ({ call }: Casino, json: Body) => call('POST', tested, { json });
  const event = 'deposit.accepted';

  describe('test-webhook', () => {
    it.each<[string, Body]>([
      ['no casino', { entity_id: undefined }],
      ['a casino that is text', { entity_id: '1' }],
      ['a casino of 0', { entity_id: 0 }],
      ['a casino below 0', { entity_id: -1 }],
      ['a casino with a fraction', { entity_id: 1.5 }],
      ['no event', { event: undefined }],
    ])('is refused with %s', async (_, fields) => {
      const casino = await newCasino(service);
      expect(verdict(await test(casino, { entity_id: casino.entityId, event, ...fields }))).toEqual(validation);
    });

    it('is refused for an event that is none, before the casino is looked at', async () => {
      const casino = await newCasino(service);
      expect(verdict(await test(casino, { entity_id: 999_999_999, event: 'deposit.lost' }))).toEqual({
        status: 400,
        detail: "Unknown event 'deposit.lost'.",
      });
    });

    it('is refused without a webhook URL, in any status of the casino', async () => {
      const none = { status: 409, detail: 'No webhook URL is configured for this entity' };
      for (const status of ['enabled', 'disabled']) {
        const casino = await newCasino(service, { entity: { status } });
        expect(verdict(await test(casino, { entity_id: casino.entityId, event }))).toEqual(none);
      }
    });

    it('without the JSON content type is an empty body, whose event is undefined', async () => {
      const casino = await newCasino(service);
      const text = JSON.stringify({ entity_id: casino.entityId, event });
      expect(verdict(await casino.call('POST', tested, { text }))).toEqual({
        status: 400,
        detail: "Unknown event 'undefined'.",
      });
    });

    it('is limited to 10 calls in 60 seconds for a key, refusals too, and says so each time', async () => {
      const casino = await newCasino(service);
      const calls = [
        () => test(casino, {}),
        () => test(casino, { entity_id: 999_999_999, event }),
        () => casino.call('POST', tested, { text: '{', headers: { 'Content-Type': 'application/json' } }),
        ...Array.from({ length: 7 }, () => () => test(casino, { entity_id: casino.entityId, event })),
      ];
      const now = Date.now() / 1000;
      for (const [index, call] of calls.entries()) {
        const { status, headers } = await call();
        expect(status).not.toBe(429);
        expect(headers.get('x-ratelimit-limit')).toBe('10');
        expect(headers.get('x-ratelimit-remaining')).toBe(String(9 - index));
        const reset = Number(headers.get('x-ratelimit-reset'));
        expect(reset).toBeGreaterThanOrEqual(Math.floor(now));
        expect(reset).toBeLessThanOrEqual(Math.ceil(now) + 62);
      }
      const over = await test(casino, { entity_id: 'not even valid' });
      const after = Number(over.headers.get('retry-after'));
      expect(verdict(over)).toEqual({ status: 429, detail: `Rate limit exceeded. Try again in ${after} seconds.` });
      expect(after).toBeGreaterThan(0);
      expect(after).toBeLessThanOrEqual(60);
      expect(over.headers.get('x-ratelimit-remaining')).toBe('0');
      const other = await newCasino(service);
      expect((await test(other, { entity_id: other.entityId, event })).status).toBe(409);
    });

    it('does not count what was refused for the credential or the scope', async () => {
      const casino = await newCasino(service, { key: { scope: 'terminal' } });
      for (let call = 0; call < 12; call += 1) {
        expect((await test(casino, { entity_id: casino.entityId, event })).status).toBe(403);
        expect((await service.call('POST', tested)).status).toBe(401);
      }
    });
  });
};
