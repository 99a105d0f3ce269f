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

    const fast = async (casino: Casino) => {
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay();
      await deposit.guards(true);
      await deposit.screen();
      done(await deposit.accept());
      return deposit;
    };
    const shownOf = async (casino: Casino, { id }: DepositHandle) => {
      const { settlements: listed, total_usd } = await settlementsOf(casino);
      const found = listed.find(({ deposit_id }) => deposit_id === id);
      return { withheld: found?.withheld, batch_id: found?.batch_id, total: Number(total_usd) };
    };
    const release = ({ id }: DepositHandle, token?: string) =>
      service.operator('POST', `/operator/settlements/${id}/release`, { note: 'the casino bears it' }, token);

    it.each<[string, boolean, (deposit: DepositHandle) => Promise<unknown>]>([
      ['unconfirmed', true, async () => undefined],
      ['double_spent', true, (deposit) => deposit.doubleSpend()],
      ['dropped', true, (deposit) => deposit.drop()],
      ['reorged', false, (deposit) => deposit.reorg()],
      ['ofac_hit', false, (deposit) => deposit.ofac('hit', 20)],
      ['kyt_failed', false, (deposit) => deposit.kyt('failed', 20)],
    ])('is withheld while a deposit is %s, and says so', async (reason, isFast, happen) => {
      const casino = await newCasino(service);
      const [sound, deposit] = [await accepted(casino), await (isFast ? fast : accepted)(casino)];
      await happen(deposit);
      expect(await shownOf(casino, deposit)).toEqual({ withheld: reason, batch_id: null, total: 100 });
      expect((await shownOf(casino, sound)).withheld).toBeNull();
      expect(await include(deposit, unique('batch'))).toBe('rejected');
    });

    it('goes on when the payment is confirmed', async () => {
      const casino = await newCasino(service);
      const deposit = await fast(casino);
      await deposit.confirm();
      expect(await shownOf(casino, deposit)).toEqual({ withheld: null, batch_id: null, total: 100 });
      expect(await include(deposit, unique('batch'))).toBe('applied');
    });

    it('that is withheld is released by an admin, once', async () => {
      const casino = await newCasino(service);
      const deposit = await fast(casino);
      await deposit.doubleSpend();
      const token = String(
        done(await service.operator('POST', '/operator/tokens', { role: 'ops', name: unique('ops') })).token,
      );
      expect((await release(deposit, token)).status).toBe(403);
      const { status, body } = await release(deposit);
      expect([status, body]).toEqual([200, expect.objectContaining({ deposit_id: deposit.id, withheld: 'released' })]);
      expect((await release(deposit)).status).toBe(409);
      expect((await shownOf(casino, deposit)).total).toBe(100);
      const batch = unique('batch');
      expect(await include(deposit, batch)).toBe('applied');
      expect(await shownOf(casino, deposit)).toMatchObject({ withheld: 'released', batch_id: batch });
    });

    it('that was released is withheld again by what comes up after the release', async () => {
      const casino = await newCasino(service);
      const deposit = await accepted(casino);
      await deposit.reorg(deposit.txid, 35);
      done(await release(deposit));
      await deposit.confirm(deposit.txid, 36);
      expect((await shownOf(casino, deposit)).withheld).toBeNull();
      await deposit.reorg(deposit.txid, 37);
      expect(await shownOf(casino, deposit)).toEqual({ withheld: 'reorged', batch_id: null, total: 0 });
      expect(await include(deposit, unique('batch'))).toBe('rejected');
      expect(done(await release(deposit)).withheld).toBe('released');
    });

    it('has nothing to release where nothing is withheld, and no deposit', async () => {
      const deposit = await accepted(await newCasino(service));
      expect((await release(deposit)).status).toBe(409);
      expect((await service.operator('POST', '/operator/settlements/999999999/release', {})).status).toBe(404);
    });

    it('keeps the batch of what was settled before', async () => {
      const casino = await newCasino(service);
      const deposit = await accepted(casino);
      const batch = unique('batch');
      await include(deposit, batch);
      await deposit.reorg();
      expect(await shownOf(casino, deposit)).toEqual({ withheld: 'reorged', batch_id: batch, total: 0 });
    });

    it('is empty for a casino without deposits', async () => {
      const { settlements: listed, total_usd } = await settlementsOf(await newCasino(service));
      expect([listed, Number(total_usd)]).toEqual([[], 0]);
    });
  });
};
