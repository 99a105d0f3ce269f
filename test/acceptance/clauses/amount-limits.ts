import { describe, expect, it } from '@jest/globals';
import { done, newAffiliate, newCasino, type Service, unique, verdict } from '../harness/index.ts';

export const amountLimits = (service: Service): void => {
  describe('the limits of a casino', () => {
    it('are none unless the operator sets them, and are taken back by null', async () => {
      const casino = await newCasino(service);
      const path = `/operator/entities/${casino.entityId}`;
      const limits = async (sent: object) => {
        const { min_usd, max_usd } = done(await service.operator('PATCH', path, { ...sent }));
        return [min_usd, max_usd];
      };
      expect(await limits({})).toEqual([null, null]);
      expect(await limits({ min_usd: 5.5, max_usd: 20 })).toEqual([5.5, 20]);
      expect(await limits({ max_usd: 30 })).toEqual([5.5, 30]);
      expect(await limits({ min_usd: null })).toEqual([null, 30]);
      expect((await service.operator('PATCH', path, { max_usd: -1 })).status).toBe(400);
    });

    it('refuse a deposit that is worth less or more, and let the limit itself pass', async () => {
      const casino = await newCasino(service, { entity: { min_usd: 10, max_usd: 100 } });
      const player = await casino.player();
      const asked = async (fields: object) => verdict(await casino.create(casino.order(player, { ...fields })));
      expect(await asked({ amount: 9.99 })).toEqual({
        status: 400,
        detail: 'This casino takes deposits from 10 USD on, requested 9.99 USD',
        requested_usd: 9.99,
        min_usd: 10,
      });
      expect(await asked({ amount: 0.01, amount_is_crypto: true })).toEqual({
        status: 400,
        detail: 'This casino takes deposits up to 100 USD, requested 500 USD',
        requested_usd: 500,
        max_usd: 100,
      });
      expect((await casino.deposits()).total).toBe(0);
      expect(await asked({ amount: 10 })).toMatchObject({ status: 'ok' });
      expect(await asked({ amount: 100 })).toMatchObject({ status: 'ok' });
    });

    it('are warned of where they let pass what no coin carries, or nothing at all', async () => {
      const affiliate_id = await newAffiliate(service);
      const made = async (fields: object) =>
        done(await service.operator('POST', '/operator/entities', { affiliate_id, name: unique('casino'), ...fields }))
          .warnings;
      const fees: unknown[] = [];
      expect(await made({ fees, min_usd: 5 })).toEqual([]);
      expect(await made({ fees, min_usd: 0.2 })).toEqual([expect.stringContaining('dust')]);
      expect(await made({ fees, min_usd: 5, max_usd: 4 })).toEqual([expect.stringContaining('no deposit')]);
    });
  });
};
