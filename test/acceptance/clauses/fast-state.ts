import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Casino, type DepositHandle, newCasino, type Service, transactionId, verdict } from '../harness/index.ts';

const doubleSpent = {
  status: 409,
  detail: 'Cannot accept: the funding transaction was double-spent before confirmation.',
};

export const fastState = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  const stateOf = async ({ read }: DepositHandle) => (await read()).no_conf_state;
  const seen = async (fields: object = { no_conf: true }) => {
    const deposit = await casino.deposit({ ...fields });
    await deposit.pay();
    return deposit;
  };
  const eligible = async (fields?: object) => {
    const deposit = await seen(fields);
    await deposit.guards(true);
    return deposit;
  };

  describe('no_conf_state', () => {
    it('is null before the payment, and for a standard deposit always', async () => {
      expect(await stateOf(await casino.deposit({ no_conf: true }))).toBeNull();
      const standard = await casino.deposit();
      await standard.pay();
      expect(await stateOf(standard)).toBeNull();
    });

    it.each([{ no_conf: true }, { instant: true }])('goes from pending_guards to eligible: %j', async (fields) => {
      const deposit = await seen(fields);
      expect(await stateOf(deposit)).toBe('pending_guards');
      expect(await deposit.guards(true)).toBe('applied');
      expect(await stateOf(deposit)).toBe('eligible');
    });

    it('falls back when a guard does not pass, and waits for the confirmation', async () => {
      const deposit = await seen();
      await deposit.guards(false);
      expect(await stateOf(deposit)).toBe('fell_back');
      await deposit.screen();
      expect(verdict(await deposit.accept())).toEqual({
        status: 409,
        detail: 'Cannot accept: no-conf deposit is not eligible yet (state: fell_back)',
      });
      await deposit.confirm();
      expect(await stateOf(deposit)).toBe('fell_back');
      expect(verdict(await deposit.accept())).toMatchObject({ status: 200 });
    });

    it('falls back at once for a replaceable payment', async () => {
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay({ replaceable: true });
      expect(await stateOf(deposit)).toBe('fell_back');
    });

    it('has the guards judge again with another payment', async () => {
      const deposit = await eligible();
      await deposit.pay({ txid: transactionId(), amount: '0.001', minute: 4 });
      expect(await stateOf(deposit)).toBe('pending_guards');
      await deposit.guards(true, 5);
      expect(await stateOf(deposit)).toBe('eligible');
    });

    it('stays fell_back through further payments', async () => {
      const deposit = await seen();
      await deposit.guards(false);
      await deposit.pay({ txid: transactionId(), amount: '0.001', minute: 4 });
      expect(await stateOf(deposit)).toBe('fell_back');
    });

    it('stays as it was at the confirmation, and guards after it are ignored', async () => {
      const deposit = await seen();
      await deposit.confirm();
      expect(await stateOf(deposit)).toBe('pending_guards');
      expect(await deposit.guards(true, 15)).toBe('ignored');
      expect(await stateOf(deposit)).toBe('pending_guards');
    });

    it('is null again with no payment left', async () => {
      const deposit = await eligible();
      await deposit.drop();
      expect(await stateOf(deposit)).toBeNull();
    });
  });

  describe('a double-spend', () => {
    it.each([
      ['pending_guards', undefined],
      ['eligible', true],
      ['fell_back', false],
    ])('is told from %s', async (state, passed) => {
      const deposit = await seen();
      if (passed !== undefined) await deposit.guards(passed);
      expect(await stateOf(deposit)).toBe(state);
      const replacement = transactionId();
      expect(await deposit.doubleSpend(deposit.txid, 6, replacement)).toBe('applied');
      expect(await deposit.read()).toMatchObject({
        no_conf_state: 'double_spent',
        double_spent_at: deposit.at(6),
        double_spend_txid: replacement,
        acceptable: false,
      });
      expect(verdict(await deposit.accept())).toEqual(doubleSpent);
    });

    it('of a standard deposit is none of its fields', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.doubleSpend();
      expect(await deposit.read()).toMatchObject({ status: 'Pending', double_spent_at: null, double_spend_txid: null });
    });

    it('comes too late after a confirmation', async () => {
      const deposit = await eligible();
      await deposit.confirm();
      expect(await deposit.doubleSpend()).toBe('rejected');
      expect(await stateOf(deposit)).toBe('eligible');
    });

    it('after an accept leaves the decision', async () => {
      const deposit = await eligible();
      await deposit.screen();
      await deposit.accept();
      await deposit.doubleSpend();
      expect(await deposit.read()).toMatchObject({ decision: 'accepted', no_conf_state: 'double_spent' });
      expect(verdict(await deposit.accept())).toEqual({
        status: 400,
        detail: "Decision is already 'accepted', cannot accept",
      });
    });

    it('is for good: paid and confirmed again, it can be returned and never accepted', async () => {
      const deposit = await eligible();
      await deposit.doubleSpend();
      const again = transactionId();
      await deposit.pay({ txid: again, minute: 12 });
      expect(verdict(await deposit.accept())).toEqual(doubleSpent);
      await deposit.confirm(again, 20);
      await deposit.screen();
      expect(await deposit.read()).toMatchObject({
        status: 'Confirmed',
        no_conf_state: 'double_spent',
        acceptable: false,
      });
      expect(verdict(await deposit.accept())).toEqual(doubleSpent);
      expect(verdict(await deposit.return())).toMatchObject({ status: 200 });
    });
  });

  describe('a late fast deposit', () => {
    it('may be accepted before its confirmation, at the current rate', async () => {
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay({ minute: 35 });
      await deposit.guards(true, 36);
      await deposit.screen();
      expect(verdict(await deposit.accept())).toMatchObject({
        status: 400,
        code: 'late_payment_requires_current_rate',
      });
      expect(verdict(await deposit.acceptAdjusted())).toMatchObject({ status: 200, adjusted: true });
    });
  });
};
