import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Body,
  type Casino,
  type DepositHandle,
  newCasino,
  type Service,
  transactionId,
} from '../harness/index.ts';

const paid = [
  ['equal', '0.002', 'Succeed'],
  ['less', '0.00199999', 'Underpaid'],
  ['more', '0.00200001', 'Overpaid'],
] as const;

/** Each quote asks for 0.002 BTC. */
export const paymentStatus = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  const standing = async ({ read }: DepositHandle): Promise<Body> => {
    const { status, confirmed_crypto, late_payment } = await read();
    return { status, confirmed_crypto, late: late_payment };
  };
  let second: string;
  beforeEach(() => {
    second = transactionId();
  });

  describe('Pending', () => {
    it('is what a new quote is', async () => {
      expect(await standing(await casino.deposit())).toEqual({ status: 'Pending', confirmed_crypto: null });
    });

    it.each(paid)('and a timely payment of %s: %s BTC', async (_, amount, status) => {
      const deposit = await casino.deposit();
      expect(await deposit.pay({ amount })).toBe('applied');
      expect(await standing(deposit)).toEqual({ status, confirmed_crypto: Number(amount) });
    });

    it('and a payment at the very moment of the expiry: timely', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ minute: 30 });
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
    });

    it.each(paid)('and a late payment of %s: %s BTC, restored', async (_, amount, status) => {
      const deposit = await casino.deposit();
      await deposit.pay({ amount, minute: 30.001 });
      expect(await standing(deposit)).toEqual({ status, confirmed_crypto: Number(amount), late: true });
    });

    it('and the expiry with nothing seen: Timedout', async () => {
      const deposit = await casino.deposit();
      expect(await deposit.expire()).toBe('applied');
      expect(await standing(deposit)).toEqual({ status: 'Timedout', confirmed_crypto: null });
    });

    it('compares at 8 decimals, cut', async () => {
      const eth = () => casino.deposit({ currency: 'ETH', amount: 200 });
      const [exact, cut, below] = [await eth(), await eth(), await eth()];
      await exact.pay({ amount: '0.100000000000000000' });
      await cut.pay({ amount: '0.100000009999999999' });
      await below.pay({ amount: '0.099999999999999999' });
      expect([(await exact.read()).status, (await cut.read()).status, (await below.read()).status]).toEqual([
        'Succeed',
        'Succeed',
        'Underpaid',
      ]);
    });

    it('counts every output of one transaction', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ amount: '0.001', vout: 0 });
      expect(await deposit.pay({ amount: '0.001', vout: 3 })).toBe('applied');
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
    });
  });

  describe('Timedout', () => {
    const timedOut = async () => {
      const deposit = await casino.deposit();
      await deposit.expire();
      return deposit;
    };

    it.each(paid)('and a late payment of %s: %s BTC, restored as late', async (_, amount, status) => {
      const deposit = await timedOut();
      await deposit.pay({ amount, minute: 40 });
      expect(await standing(deposit)).toEqual({ status, confirmed_crypto: Number(amount), late: true });
    });

    it.each(paid)('and a timely payment of %s whose signal came late: %s BTC, ordinary', async (_, amount, status) => {
      const deposit = await timedOut();
      await deposit.pay({ amount, minute: 29 });
      expect(await standing(deposit)).toEqual({ status, confirmed_crypto: Number(amount) });
    });
  });

  describe('Succeed, Underpaid, Overpaid', () => {
    it('are recomputed with each further payment', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ amount: '0.001' });
      await deposit.pay({ txid: second, amount: '0.001', minute: 2 });
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
      await deposit.pay({ txid: transactionId(), amount: '0.00000001', minute: 3 });
      expect(await standing(deposit)).toEqual({ status: 'Overpaid', confirmed_crypto: 0.00200001 });
    });

    it.each(['drop', 'doubleSpend'] as const)('are recomputed when one is gone: %s', async (how) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.pay({ txid: second, amount: '0.001', minute: 2 });
      expect(await deposit[how](second)).toBe('applied');
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
    });

    it.each(['drop', 'doubleSpend'] as const)('are Pending again when nothing is left: %s', async (how) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit[how]();
      expect(await standing(deposit)).toEqual({ status: 'Pending', confirmed_crypto: null });
    });

    it.each(['drop', 'doubleSpend'] as const)('are Timedout when nothing is left past the expiry: %s', async (how) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit[how](deposit.txid, 31);
      expect(await standing(deposit)).toEqual({ status: 'Timedout', confirmed_crypto: null });
    });

    it('are not late any more when the late payment is gone', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ minute: 35 });
      await deposit.drop(deposit.txid, 36);
      expect(await standing(deposit)).toEqual({ status: 'Timedout', confirmed_crypto: null });
    });

    it('do not end with the quote: the expiry of a paid deposit is ignored', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      expect(await deposit.expire()).toBe('ignored');
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
    });

    it('are Confirmed when every counted payment has a confirmation', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ amount: '0.001' });
      await deposit.pay({ txid: second, amount: '0.001' });
      await deposit.confirm();
      expect(await standing(deposit)).toMatchObject({ status: 'Succeed' });
      await deposit.confirm(second);
      expect(await standing(deposit)).toEqual({ status: 'Confirmed', confirmed_crypto: 0.002 });
    });

    it('are Confirmed whatever came, less or more', async () => {
      for (const amount of ['0.001', '0.003']) {
        const deposit = await casino.deposit();
        await deposit.pay({ amount });
        await deposit.confirm();
        expect(await standing(deposit)).toEqual({ status: 'Confirmed', confirmed_crypto: Number(amount) });
      }
    });

    it.each(['review', 'failed'])('are ConfirmedKYTReview when KYT stands at %s by then', async (result) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.kyt(result);
      expect(await standing(deposit)).toMatchObject({ status: 'Succeed' });
      await deposit.confirm();
      expect(await standing(deposit)).toMatchObject({ status: 'ConfirmedKYTReview' });
    });
  });

  describe('a late payment beside a timely one', () => {
    it('does not count', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ amount: '0.001' });
      expect(await deposit.pay({ txid: second, amount: '0.001', minute: 31 })).toBe('applied');
      expect(await standing(deposit)).toEqual({ status: 'Underpaid', confirmed_crypto: 0.001 });
    });

    it('counts, and makes the deposit late, when no timely one is left', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ amount: '0.001' });
      await deposit.pay({ txid: second, amount: '0.003', minute: 31 });
      await deposit.drop(deposit.txid, 32);
      expect(await standing(deposit)).toEqual({ status: 'Overpaid', confirmed_crypto: 0.003, late: true });
    });

    it('counts no more when a timely one turns up', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ txid: second, amount: '0.003', minute: 31 });
      await deposit.pay({ amount: '0.002', minute: 29 });
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
    });
  });

  describe('a payment that was gone', () => {
    it.each(['drop', 'doubleSpend'] as const)('counts again when it is seen again: %s', async (how) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit[how]();
      expect(await deposit.pay({ minute: 20 })).toBe('applied');
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
    });

    it.each(['drop', 'doubleSpend'] as const)('counts again when it is confirmed after all: %s', async (how) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit[how]();
      expect(await deposit.confirm(deposit.txid, 20)).toBe('applied');
      expect(await standing(deposit)).toEqual({ status: 'Confirmed', confirmed_crypto: 0.002 });
    });

    it('keeps the time at which it was first seen', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ minute: 29 });
      await deposit.drop(deposit.txid, 31);
      await deposit.pay({ minute: 45 });
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
    });
  });

  describe('Confirmed and undecided', () => {
    const confirmed = async () => {
      const deposit = await casino.deposit();
      return deposit.settle();
    };

    it('stays so with another payment, which counts once it is confirmed', async () => {
      const deposit = await confirmed();
      await deposit.pay({ txid: second, amount: '0.001', minute: 20 });
      expect(await standing(deposit)).toEqual({ status: 'Confirmed', confirmed_crypto: 0.002 });
      await deposit.confirm(second, 25);
      expect(await standing(deposit)).toEqual({ status: 'Confirmed', confirmed_crypto: 0.003 });
    });

    it('screens the address of another payment, if it is new', async () => {
      const deposit = await confirmed();
      await deposit.pay({ txid: second, amount: '0.001', minute: 20 });
      expect(await deposit.read()).toMatchObject({ kyt_status: 'passed', ofac_status: 'clear' });
      await deposit.pay({ txid: transactionId(), amount: '0.001', minute: 21, funding: ['somebody-new'] });
      expect(await deposit.read()).toMatchObject({ kyt_status: 'pending', ofac_status: 'pending' });
    });

    it.each(['review', 'failed'])('is ConfirmedKYTReview when KYT becomes %s', async (result) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.confirm();
      await deposit.kyt(result);
      expect(await standing(deposit)).toMatchObject({ status: 'ConfirmedKYTReview' });
    });

    it('stays ConfirmedKYTReview when the provider says passed: acceptable, not returnable', async () => {
      const deposit = await confirmed();
      await deposit.kyt('review', 15);
      await deposit.kyt('passed', 16);
      expect(await deposit.read()).toMatchObject({
        status: 'ConfirmedKYTReview',
        kyt_status: 'passed',
        acceptable: true,
      });
      expect((await deposit.return()).body.detail).toBe(
        "Cannot return: transaction status is 'ConfirmedKYTReview' (must be 'Confirmed')",
      );
      expect((await deposit.accept()).body).toMatchObject({ decision: 'accepted' });
    });

    it('is ConfirmedApproved when an operator approves the review: acceptable, not returnable', async () => {
      const deposit = await confirmed();
      await deposit.kyt('review', 15);
      const review = await service.operator('POST', `/operator/deposits/${deposit.id}/kyt-review`, {
        result: 'passed',
        note: 'known player',
      });
      expect(review.body).toMatchObject({ id: deposit.id, status: 'ConfirmedApproved', kyt_status: 'passed' });
      expect(await deposit.read()).toMatchObject({ status: 'ConfirmedApproved', acceptable: true });
      expect((await deposit.return()).body.detail).toBe(
        "Cannot return: transaction status is 'ConfirmedApproved' (must be 'Confirmed')",
      );
      expect((await deposit.accept()).body).toMatchObject({ decision: 'accepted' });
    });

    it('is Confirmed when the review was approved before the confirmation', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.kyt('review');
      await service.operator('POST', `/operator/deposits/${deposit.id}/kyt-review`, { result: 'passed', note: 'ok' });
      expect(await standing(deposit)).toMatchObject({ status: 'Succeed' });
      await deposit.confirm();
      expect(await standing(deposit)).toMatchObject({ status: 'Confirmed' });
    });
  });

  describe('a block that the chain drops', () => {
    it('makes a confirmed deposit unconfirmed again', async () => {
      const deposit = await (await casino.deposit()).settle({ amount: '0.001' });
      expect(await deposit.reorg()).toBe('applied');
      expect(await standing(deposit)).toEqual({ status: 'Underpaid', confirmed_crypto: 0.001 });
      expect((await deposit.acceptAdjusted()).status).toBe(409);
      await deposit.confirm(deposit.txid, 20);
      expect((await deposit.acceptAdjusted()).status).toBe(200);
    });

    it('leaves the decision as it was', async () => {
      const deposit = await (await casino.deposit()).settle();
      await deposit.accept();
      await deposit.reorg();
      expect(await deposit.read()).toMatchObject({ status: 'Succeed', decision: 'accepted' });
    });

    it('makes a fast deposit fall back', async () => {
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay();
      await deposit.guards(true);
      await deposit.confirm();
      await deposit.reorg();
      expect(await deposit.read()).toMatchObject({ status: 'Succeed', no_conf_state: 'fell_back' });
    });
  });

  describe('after a decision', () => {
    it('no money and no received amount changes any more', async () => {
      const deposit = await (await casino.deposit()).settle();
      await deposit.accept();
      const before = await deposit.read();
      expect(await deposit.pay({ txid: second, amount: '0.5', minute: 20 })).toBe('applied');
      await deposit.confirm(second, 25);
      expect(await deposit.read()).toEqual({ ...before, updated_at: expect.any(String) });
    });

    it('the status goes on following the payments that counted', async () => {
      const deposit = await casino.deposit({ instant: true });
      await deposit.pay();
      await deposit.guards(true);
      await deposit.ofac('clear');
      await deposit.accept();
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
      await deposit.confirm();
      expect(await standing(deposit)).toEqual({ status: 'Confirmed', confirmed_crypto: 0.002 });
      await deposit.reorg();
      expect(await standing(deposit)).toEqual({ status: 'Succeed', confirmed_crypto: 0.002 });
      await deposit.drop(deposit.txid, 20);
      expect(await deposit.read()).toMatchObject({
        status: 'Pending',
        confirmed_crypto: 0.002,
        decision: 'accepted',
        player_amount: 100,
      });
    });
  });
};
