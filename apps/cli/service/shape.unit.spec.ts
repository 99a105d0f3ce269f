import { describe, expect, it } from '@jest/globals';
import { isShaped } from './shape.ts';

describe('an object that is answered', () => {
  it.each([
    ['GET', '/operator/inbox'],
    ['GET', '/operator/deposits/7'],
    ['GET', '/operator/audit/public-key'],
    ['POST', '/operator/audit/verify'],
    ['POST', '/operator/webhook-deliveries/replay'],
    ['POST', '/engine/simulate'],
  ])('is no answer of a Cointill where it has little of what that has: %s %s', (method, path) => {
    expect(isShaped({ ok: true, id: 7, status: 'up' }, method, path)).toBe(false);
  });

  it('is one where a release of before knew less of it, or a newer one says more', () => {
    const rest = { mode: 'live', status: 'active', affiliate_id: 1, entity_id: null, scope: 'all', name: null };
    expect(isShaped({ waiting: [], as_of: 'now', more: 1 }, 'GET', '/operator/inbox')).toBe(true);
    const pulse = { head: '7', at: 'now' };
    expect(isShaped({ ...rest, ...pulse, id: 7, created_at: 'now' }, 'GET', '/operator/api-keys/7')).toBe(true);
    expect(isShaped({ replayed: 3 }, 'POST', '/operator/webhook-deliveries/replay')).toBe(true);
    expect(isShaped({}, 'GET', '/of/another/service')).toBe(true);
  });
});
