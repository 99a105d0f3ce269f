import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Casino,
  type DepositHandle,
  newCasino,
  type Service,
  transactionId,
  verdict,
  withRate,
} from '../harness/index.ts';

/** A first deposit: at 50000 USD the ceiling of 600 USD is 0.012 BTC. */
export const instantCeiling = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  const received = async (amount: string, minute = 1): Promise<DepositHandle> => {
    const deposit = await casino.deposit({ instant: true, amount: 400 });
    await deposit.pay({ amount, minute });
    await deposit.guards(true, minute);
    return deposit;
  };

  describe('the ceiling of an instant deposit', () => {
    it('holds nothing back that is within it: accepted before KYT and confirmation', async () => {
      const deposit = await received('0.012');
      await deposit.ofac('clear');
      expect(await deposit.read()).toMatchObject({
        instant: true,
        instant_downgraded: false,
        kyt_status: 'pending',
        status: 'Overpaid',
        acceptable: true,
      });
      expect(verdict(await deposit.acceptAdjusted())).toMatchObject({ status: 200, player_amount: 600 });
    });

    it('waits for OFAC all the same', async () => {
      const deposit = await received('0.008');
      expect(await deposit.read()).toMatchObject({ acceptable: false });
      expect(verdict(await deposit.accept())).toMatchObject({ status: 409, code: 'ofac_screen_pending' });
      await deposit.signal('ofac.deadline_missed', 2);
      expect(await deposit.read()).toMatchObject({ acceptable: true });
      expect(verdict(await deposit.accept())).toMatchObject({ status: 200 });
    });

    it('downgrades what is above it: KYT decides', async () => {
      const deposit = await received('0.01200001');
      await deposit.ofac('clear');
      expect(await deposit.read()).toMatchObject({
        instant: true,
        instant_downgraded: true,
        instant_received_max_usd: 600,
        acceptable: false,
      });
      expect(verdict(await deposit.acceptAdjusted())).toEqual({
        status: 409,
        code: 'instant_received_over_cap',
        detail: expect.stringMatching(/./),
        received_usd: 600.0005,
        instant_received_max_usd: 600,
      });
      await deposit.kyt('passed');
      expect(await deposit.read()).toMatchObject({ acceptable: true, instant_downgraded: true });
      expect(verdict(await deposit.acceptAdjusted())).toMatchObject({ status: 200, player_amount: 600.0005 });
    });

    it('downgrades for good, also when what was too much is gone', async () => {
      const deposit = await received('0.008');
      const more = transactionId();
      await deposit.pay({ txid: more, amount: '0.005', minute: 2 });
      expect(await deposit.read()).toMatchObject({ instant_downgraded: true });
      await deposit.drop(more, 3);
      await deposit.guards(true, 4);
      await deposit.ofac('clear');
      expect(await deposit.read()).toMatchObject({
        confirmed_crypto: 0.008,
        no_conf_state: 'eligible',
        instant_downgraded: true,
        acceptable: false,
      });
      expect(verdict(await deposit.accept())).toEqual({
        status: 409,
        detail: "Cannot accept: kyt_status is 'pending', must be 'passed'.",
      });
    });

    it('gives way to the KYT error in review', async () => {
      const deposit = await received('0.013');
      await deposit.ofac('clear');
      await deposit.kyt('review');
      expect(verdict(await deposit.acceptAdjusted())).toEqual({
        status: 409,
        detail: "Cannot accept: kyt_status is 'review', must be 'passed'.",
      });
    });

    it('is refused before an amount that differs', async () => {
      const deposit = await received('0.013');
      await deposit.ofac('clear');
      expect(verdict(await deposit.accept())).toMatchObject({ status: 409, code: 'instant_received_over_cap' });
    });

    it("values an ordinary payment at the quote's market rate", () =>
      withRate(service, 'BTC', '50000', async () => {
        const deposit = await casino.deposit({ instant: true, amount: 400 });
        await service.operator('PUT', '/operator/rates/BTC', { usd: '80000' });
        await deposit.pay({ amount: '0.012' });
        expect(await deposit.read()).toMatchObject({ instant_downgraded: false });
      }));

    it('values a late payment at the current rate, when it is seen and when it is accepted', () =>
      withRate(service, 'BTC', '80000', async () => {
        await service.operator('PUT', '/operator/rates/BTC', { usd: '50000' });
        const [above, within] = [
          await casino.deposit({ instant: true, amount: 400 }),
          await casino.deposit({ instant: true, amount: 400 }),
        ];
        await service.operator('PUT', '/operator/rates/BTC', { usd: '80000' });
        await above.pay({ minute: 31 });
        // 0.008 x 80000 = 640
        expect(await above.read()).toMatchObject({ late_payment: true, instant_downgraded: true });
        await service.operator('PUT', '/operator/rates/BTC', { usd: '60000' });
        await within.pay({ minute: 31 });
        expect(await within.read()).toMatchObject({ late_payment: true, instant_downgraded: false });
        await within.guards(true, 32);
        await within.ofac('clear', 32);
        await service.operator('PUT', '/operator/rates/BTC', { usd: '80000' });
        expect(await within.read()).toMatchObject({ acceptable: true });
        expect(verdict(await within.acceptAdjusted())).toMatchObject({
          status: 409,
          code: 'instant_received_over_cap',
          received_usd: 640,
        });
        await service.operator('PUT', '/operator/rates/BTC', { usd: '60000' });
        expect(verdict(await within.acceptAdjusted())).toMatchObject({ status: 200, player_amount: 480 });
      }));
  });
};
