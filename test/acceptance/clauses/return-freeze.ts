import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type Body,
  type Casino,
  type DepositHandle,
  done,
  eventually,
  newCasino,
  type Service,
  validation,
  verdict,
} from '../harness/index.ts';

export const returnAndFreeze = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  const refused = (status: number, detail: string): Body => ({ status, detail });
  const settled = async () => (await casino.deposit()).settle();
  const paid = async (fields = {}) => {
    const deposit = await casino.deposit(fields);
    await deposit.pay();
    return deposit;
  };
  const decided: readonly (readonly [string, keyof DepositHandle & ('accept' | 'return' | 'freeze')])[] = [
    ['accepted', 'accept'],
    ['returned', 'return'],
    ['frozen', 'freeze'],
  ];

  describe('a return', () => {
    it('answers with exactly the keys of the interface', async () => {
      const deposit = await settled();
      const { status, body } = await deposit.return({ json: { return_address: 'anything at all', reason: 'wish' } });
      expect([status, body]).toEqual([
        200,
        { deposit_id: deposit.id, decision: 'returned', return_id: expect.any(Number) },
      ]);
      expect(Number.isSafeInteger(body.return_id)).toBe(true);
      expect(await deposit.read()).toMatchObject({
        decision: 'returned',
        return_address: 'anything at all',
        status: 'Confirmed',
      });
    });

    it('gives every return an id of its own', async () => {
      const ids = [await settled(), await settled()].map(async (deposit) => (await deposit.return()).body.return_id);
      const [one, two] = await Promise.all(ids);
      expect(one).not.toBe(two);
    });

    it('is queued whatever its address is, and whatever stands behind it', async () => {
      // Of signs that cannot be packed: more bytes than an index of Postgres takes.
      const long = Array.from({ length: 2_000 }, (_, nth) => String.fromCodePoint(0x4e00 + ((nth * 7_919) % 20_000)));
      for (const return_address of [long.join(''), 'bc1q-short']) {
        const deposit = await settled();
        expect((await deposit.return({ json: { return_address } })).status).toBe(200);
        const queued = () => service.operator('GET', `/operator/returns?deposit_id=${deposit.id}`);
        const isThere = (answer: Answer) => (done(answer).returns as readonly Body[]).length > 0;
        expect((await eventually(queued, isThere)).body).toMatchObject({ returns: [{ address: return_address }] });
      }
    });

    it('needs no equal amount', async () => {
      const deposit = await (await casino.deposit()).settle({ amount: '0.0001' });
      expect(verdict(await deposit.return())).toMatchObject({ status: 200 });
    });

    it('goes through while OFAC is timed out', async () => {
      const deposit = await paid();
      await deposit.confirm();
      await deposit.kyt('passed');
      await deposit.signal('ofac.deadline_missed', 2);
      expect(verdict(await deposit.return())).toMatchObject({ status: 200 });
    });

    it.each<[string, Body]>([
      ['no address', {}],
      ['an empty address', { return_address: '' }],
      ['an address that is no text', { return_address: 5 }],
      ['null for an address', { return_address: null }],
      ['an empty reason', { return_address: 'x', reason: '' }],
      ['a reason that is no text', { return_address: 'x', reason: 5 }],
    ])('is refused with %s', async (_, json) => {
      const deposit = await settled();
      expect(verdict(await deposit.return({ json }))).toEqual(validation);
      expect(await deposit.read()).toMatchObject({ decision: 'pending' });
    });

    it.each(decided)('is refused after it was %s', async (decision, decide) => {
      const deposit = await settled();
      await deposit[decide]();
      expect(verdict(await deposit.return())).toEqual(refused(400, `Decision is already '${decision}', cannot return`));
    });

    it('is refused while OFAC is unfinished, paid or not', async () => {
      const deposit = await casino.deposit();
      const pending = { status: 409, code: 'ofac_screen_pending', detail: expect.stringMatching(/./) };
      expect(verdict(await deposit.return())).toEqual(pending);
      await deposit.pay();
      await deposit.confirm();
      await deposit.kyt('passed');
      expect(verdict(await deposit.return())).toEqual({ ...pending, ofac_deadline_at: deposit.at(2) });
    });

    it.each(['pending', 'review'])('is refused while KYT is %s', async (status) => {
      const deposit = await paid();
      await deposit.confirm();
      await deposit.ofac('clear');
      if (status === 'review') await deposit.kyt('review');
      expect(verdict(await deposit.return())).toEqual(
        refused(409, `Cannot return: kyt_status is '${status}', must be 'passed'.`),
      );
    });

    it.each([{}, { no_conf: true }, { instant: true }])('is refused before the confirmation: %j', async (fields) => {
      const deposit = await paid(fields);
      await deposit.guards(true);
      await deposit.screen();
      expect(verdict(await deposit.return())).toEqual(
        refused(409, "Cannot return: transaction status is 'Succeed' (must be 'Confirmed')"),
      );
    });
  });

  describe('a return checks in the order of its table', () => {
    it('the decision, before OFAC', async () => {
      const deposit = await paid();
      await deposit.kyt('failed');
      expect(verdict(await deposit.return())).toEqual(refused(400, "Decision is already 'frozen', cannot return"));
    });

    it('OFAC, before KYT', async () => {
      const deposit = await paid();
      await deposit.kyt('review');
      expect(verdict(await deposit.return())).toMatchObject({ status: 409, code: 'ofac_screen_pending' });
    });

    it('KYT, before the status', async () => {
      const deposit = await paid();
      await deposit.ofac('clear');
      expect(verdict(await deposit.return())).toEqual(
        refused(409, "Cannot return: kyt_status is 'pending', must be 'passed'."),
      );
    });
  });

  describe('a freeze', () => {
    it('answers with exactly the keys of the interface', async () => {
      const deposit = await settled();
      const { status, body } = await deposit.freeze();
      expect([status, body]).toEqual([200, { deposit_id: deposit.id, decision: 'frozen' }]);
    });

    it('needs no confirmation, and no OFAC', async () => {
      const deposit = await paid();
      await deposit.kyt('passed');
      expect(verdict(await deposit.freeze())).toMatchObject({ status: 200 });
    });

    it.each(decided)('is refused after it was %s', async (decision, decide) => {
      const deposit = await settled();
      await deposit[decide]();
      expect(verdict(await deposit.freeze())).toEqual(refused(400, `Decision is already '${decision}', cannot freeze`));
    });

    it('is refused without a KYT result', async () => {
      const deposit = await casino.deposit();
      expect(verdict(await deposit.freeze())).toEqual(refused(409, 'Cannot freeze: KYT screening has not completed.'));
    });

    it.each(['pending', 'review'])('is refused while KYT is %s', async (status) => {
      const deposit = await paid();
      if (status === 'review') await deposit.kyt('review');
      expect(verdict(await deposit.freeze())).toEqual(
        refused(409, `Cannot freeze: kyt_status is '${status}', must be 'passed'.`),
      );
    });
  });

  describe('six decisions at once', () => {
    it.each([1, 2, 3])('leave one that won (round %i)', async () => {
      const deposit = await settled();
      const answers = await Promise.all([
        deposit.accept(),
        deposit.return(),
        deposit.freeze(),
        deposit.accept(),
        deposit.return(),
        deposit.freeze(),
      ]);
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      const decision = won[0]?.body.decision;
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        const lost =
          /^Cannot (accept|return|freeze): deposit decision is no longer 'pending' \(already decided by a concurrent request\)$/;
        const late = new RegExp(`^Decision is already '${decision}', cannot (accept|return|freeze)$`);
        expect(verdict(answer)).toEqual({
          status: answer.status,
          detail: expect.stringMatching(answer.status === 409 ? lost : late),
        });
        expect([400, 409]).toContain(answer.status);
      }
      expect(await deposit.read()).toMatchObject({ decision });
    });
  });

  describe('an accept', () => {
    it.each([1, 2, 3])('and an alarm at once: one of them was first (round %i)', async () => {
      const deposit = await settled();
      const [answer] = await Promise.all([deposit.accept(), deposit.ofac('hit', 15)]);
      const won = answer.status === 200;
      if (!won) expect([400, 409]).toContain(answer.status);
      expect(await deposit.read()).toMatchObject({ decision: won ? 'accepted' : 'frozen', ofac_status: 'hit' });
    });
  });
};
