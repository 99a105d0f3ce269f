import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Casino,
  type DepositHandle,
  done,
  newCasino,
  type Service,
  transactionId,
  verdict,
} from '../harness/index.ts';

export const screening = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  const statuses = async ({ read }: DepositHandle) => {
    const { kyt_status, ofac_status, decision } = await read();
    return [kyt_status, ofac_status, decision];
  };
  const paid = async () => {
    const deposit = await casino.deposit();
    await deposit.pay();
    return deposit;
  };
  const review = (deposit: DepositHandle, result: string) =>
    service.operator('POST', `/operator/deposits/${deposit.id}/kyt-review`, { result, note: 'looked at it' });

  describe('screening', () => {
    it('starts with the payment', async () => {
      const deposit = await casino.deposit();
      expect(await statuses(deposit)).toEqual([null, 'pending', 'pending']);
      await deposit.pay();
      expect(await statuses(deposit)).toEqual(['pending', 'pending', 'pending']);
    });

    it('has a deadline 60 seconds after the payment was seen, which a refusal names', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ minute: 4 });
      await deposit.confirm();
      expect(verdict(await deposit.accept())).toEqual({
        status: 409,
        code: 'ofac_screen_pending',
        detail: expect.stringMatching(/./),
        ofac_deadline_at: deposit.at(5),
      });
    });

    it('is timed out at the deadline, and may be clear or hit after it', async () => {
      for (const [answer, decision] of [
        ['clear', 'pending'],
        ['hit', 'frozen'],
      ] as const) {
        const deposit = await paid();
        expect(await deposit.signal('ofac.deadline_missed', 2)).toBe('applied');
        expect(await statuses(deposit)).toEqual(['pending', 'timed_out', 'pending']);
        expect(await deposit.ofac(answer)).toBe('applied');
        expect(await statuses(deposit)).toEqual(['pending', answer, decision]);
      }
    });

    it('is not timed out once it is answered', async () => {
      const deposit = await paid();
      await deposit.ofac('clear');
      expect(await deposit.signal('ofac.deadline_missed', 2)).toBe('ignored');
      expect(await statuses(deposit)).toEqual(['pending', 'clear', 'pending']);
    });

    it('tells the score and the time of the result', async () => {
      const deposit = await paid();
      await deposit.kyt('passed', 7, '3.25');
      expect(await deposit.read()).toMatchObject({
        kyt_status: 'passed',
        kyt_risk_score: '3.25',
        kyt_checked_at: deposit.at(7),
      });
    });

    it.each([
      ['passed', 'pending'],
      ['failed', 'frozen'],
    ])('in review may become %s', async (result, decision) => {
      const deposit = await paid();
      await deposit.kyt('review');
      expect(await statuses(deposit)).toEqual(['review', 'pending', 'pending']);
      expect(await deposit.kyt(result, 6)).toBe('applied');
      expect(await statuses(deposit)).toEqual([result, 'pending', decision]);
    });

    it('in review since nobody can name the senders of a payment is ended by an operator alone', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.confirm();
      await deposit.ofac('clear');
      const unnamed = { status: 'review', unknown_senders_of: deposit.txid };
      expect(await deposit.signal('kyt.completed', 5, unnamed)).toBe('applied');
      expect(await deposit.kyt('passed', 6)).toBe('ignored');
      expect(await deposit.read()).toMatchObject({ kyt_status: 'review', acceptable: false });
      expect((await deposit.accept()).status).toBe(409);
      const { events } = done(await service.operator('GET', `/operator/deposits/${deposit.id}/events`));
      expect(JSON.stringify(events)).toContain(`"unknownSendersOf":"${deposit.txid}"`);
      expect((await review(deposit, 'passed')).status).toBe(200);
      expect(await deposit.read()).toMatchObject({ kyt_status: 'passed', acceptable: true });
      for (const [result, minute] of [
        ['review', 16],
        ['passed', 17],
      ] as const)
        expect(await deposit.kyt(result, minute)).toBe('applied');
    });

    it('of senders that nobody can name fails by the provider as any other', async () => {
      const deposit = await paid();
      await deposit.signal('kyt.completed', 5, { status: 'review', unknown_senders_of: deposit.txid });
      expect(await deposit.kyt('failed', 6)).toBe('applied');
      expect(await statuses(deposit)).toEqual(['failed', 'pending', 'frozen']);
    });

    it('that failed is final, except by an approval', async () => {
      const deposit = await paid();
      await deposit.kyt('failed');
      for (const result of ['passed', 'review']) expect(await deposit.kyt(result, 6)).toBe('ignored');
      expect(await statuses(deposit)).toEqual(['failed', 'pending', 'frozen']);
      expect((await review(deposit, 'passed')).status).toBe(200);
      expect(await statuses(deposit)).toEqual(['passed', 'pending', 'frozen']);
    });

    it('that hit is final', async () => {
      const deposit = await paid();
      await deposit.ofac('hit');
      expect(await deposit.ofac('clear', 6)).toBe('ignored');
      expect(await statuses(deposit)).toEqual(['pending', 'hit', 'frozen']);
    });

    it('with the same result again changes nothing', async () => {
      const deposit = await paid();
      await deposit.screen();
      expect(await deposit.kyt('passed')).toBe('ignored');
      expect(await deposit.ofac('clear')).toBe('ignored');
    });

    it('by an operator that failed freezes', async () => {
      const deposit = await paid();
      await deposit.kyt('review');
      expect((await review(deposit, 'failed')).body).toMatchObject({ kyt_status: 'failed', decision: 'frozen' });
    });
  });

  describe('a new funding address', () => {
    const another = (deposit: DepositHandle, minute = 8) =>
      deposit.pay({ txid: transactionId(), amount: '0.001', minute, funding: ['a-new-address'] });

    it('sets both back to pending, with a new deadline', async () => {
      const deposit = await paid();
      await deposit.screen();
      await another(deposit);
      expect(await statuses(deposit)).toEqual(['pending', 'pending', 'pending']);
      const fast = await casino.deposit({ no_conf: true });
      await fast.pay();
      await fast.screen();
      await another(fast, 8);
      await fast.guards(true, 9);
      expect((await fast.accept()).body).toMatchObject({ code: 'ofac_screen_pending', ofac_deadline_at: fast.at(9) });
    });

    it('leaves a hit, a failure and a review as they are', async () => {
      const [hit, failed, reviewed] = [await paid(), await paid(), await paid()];
      await reviewed.kyt('review', 5, '0.5');
      await another(reviewed);
      await reviewed.ofac('clear', 9);
      expect(await reviewed.read()).toMatchObject({ kyt_status: 'review', kyt_risk_score: '0.5', acceptable: false });
      await hit.ofac('hit');
      await another(hit);
      expect((await hit.read()).ofac_status).toBe('hit');
      await failed.kyt('failed');
      await another(failed);
      expect((await failed.read()).kyt_status).toBe('failed');
    });

    it('that is known already sets nothing back', async () => {
      const deposit = await paid();
      await deposit.screen();
      await deposit.pay({ txid: transactionId(), amount: '0.001', minute: 8 });
      expect(await statuses(deposit)).toEqual(['passed', 'clear', 'pending']);
    });
  });

  describe('an alarm', () => {
    it.each(['hit', 'failed'])('freezes a pending deposit at once: %s', async (alarm) => {
      const deposit = await (await casino.deposit()).settle();
      await (alarm === 'hit' ? deposit.ofac('hit', 15) : deposit.kyt('failed', 15));
      expect(await deposit.read()).toMatchObject({
        decision: 'frozen',
        decision_at: expect.any(String),
        acceptable: false,
      });
      const already = (verb: string) => ({ status: 400, detail: `Decision is already 'frozen', cannot ${verb}` });
      expect(verdict(await deposit.accept())).toEqual(already('accept'));
      expect(verdict(await deposit.return())).toEqual(already('return'));
      expect(verdict(await deposit.freeze())).toEqual(already('freeze'));
    });

    it('after a decision is reported, and the decision stays', async () => {
      const deposit = await paid();
      await deposit.confirm();
      await deposit.kyt('passed');
      await deposit.signal('ofac.deadline_missed', 2);
      expect((await deposit.accept()).status).toBe(200);
      expect(await deposit.ofac('hit')).toBe('applied');
      expect(await deposit.kyt('failed', 20)).toBe('applied');
      expect(await statuses(deposit)).toEqual(['failed', 'hit', 'accepted']);
    });
  });
};
