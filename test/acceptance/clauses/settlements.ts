import { describe, expect, it } from '@jest/globals';
import {
  as,
  type Body,
  type Casino,
  type DepositHandle,
  done,
  newCasino,
  type Service,
  unique,
} from '../harness/index.ts';

type Settlements = { readonly settlements: readonly Body[]; readonly total_usd: unknown };

export const settlements = (service: Service): void => {
  const accepted = async (casino: Casino) => {
    const deposit = await (await casino.deposit()).settle();
    await deposit.accept();
    return deposit;
  };
  const include = ({ signal }: DepositHandle, batch_id: string) => signal('settlement.included', 60, { batch_id });
  const settlementsOf = async ({ entityId }: Casino) =>
    as<Settlements>(done(await service.operator('GET', `/operator/settlements?entity_id=${entityId}`)));

  describe('settlement', () => {
    it('takes an accepted deposit into a batch, once', async () => {
      const deposit = await accepted(await newCasino(service));
      const batch = unique('batch');
      expect(await include(deposit, batch)).toBe('applied');
      expect(await include(deposit, batch)).toBe('ignored');
      expect(await include(deposit, unique('another'))).toBe('rejected');
      expect((await deposit.read()).status).toBe('Confirmed');
    });

    it('takes no deposit that is not accepted', async () => {
      const casino = await newCasino(service);
      const [open, frozen] = [await (await casino.deposit()).settle(), await (await casino.deposit()).settle()];
      await frozen.freeze();
      for (const deposit of [open, frozen]) expect(await include(deposit, unique('batch'))).toBe('rejected');
    });

    it.each([{ entity: { mode: 'test' } }, { key: { mode: 'test' } }])('takes no test deposit: %j', async (setup) => {
      const casino = await newCasino(service, setup);
      expect(await include(await accepted(casino), unique('batch'))).toBe('rejected');
      expect((await settlementsOf(casino)).settlements).toEqual([]);
    });

    it('is listed for a casino: the accepted live deposits, with their batch', async () => {
      const fees = [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'ENTITY', percent: 0.1 }];
      const casino = await newCasino(service, { entity: { fees } });
      const [first, second] = [await accepted(casino), await accepted(casino)];
      await (await casino.deposit()).settle();
      const batch = unique('batch');
      await include(first, batch);
      const { settlements: listed, total_usd } = await settlementsOf(casino);
      const shown = listed.map(({ deposit_id, entity_net_usd, batch_id, accepted_at }) => ({
        deposit_id,
        net: Number(entity_net_usd),
        batch_id,
        told: typeof accepted_at,
      }));
      expect(shown).toHaveLength(2);
      expect(shown).toEqual(
        expect.arrayContaining([
          { deposit_id: first.id, net: 90, batch_id: batch, told: 'string' },
          { deposit_id: second.id, net: 90, batch_id: null, told: 'string' },
        ]),
      );
      expect(Number(total_usd)).toBe(180);
    });

    it('is empty for a casino without deposits', async () => {
      const { settlements: listed, total_usd } = await settlementsOf(await newCasino(service));
      expect([listed, Number(total_usd)]).toEqual([[], 0]);
    });
  });
};
