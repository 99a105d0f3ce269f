import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Body,
  type Casino,
  type DepositHandle,
  jsonType,
  newCasino,
  type Service,
  validation,
  verdict,
  withRate,
} from '../harness/index.ts';

const answerKeys = [
  'adjusted',
  'affiliate_fee_usd',
  'affiliate_net_usd',
  'bf_fee_usd',
  'bf_spread_usd',
  'charges',
  'confirmed_crypto',
  'crypto_amount',
  'crypto_rate',
  'decision',
  'deposit_id',
  'entity_net_usd',
  'fee',
  'fee_usd',
  'player_amount',
  'usd_amount',
];

export const accept = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  const refused = (status: number, detail: string | RegExp): Body => ({
    status,
    detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
  });
  const coded = (status: number, code: string, more: Body = {}): Body => ({
    status,
    code,
    detail: expect.stringMatching(/./),
    ...more,
  });
  const acceptOf = async (deposit: DepositHandle) => verdict(await deposit.accept());
  const adjustedOf = async (deposit: DepositHandle) => verdict(await deposit.acceptAdjusted());
  const lateOf = async (amount: string, currency = 'BTC') => {
    const deposit = await casino.deposit({ currency });
    await deposit.pay({ amount, minute: 35 });
    await deposit.confirm(deposit.txid, 40);
    return deposit;
  };

  describe('an accept', () => {
    it('answers with exactly the keys of the interface', async () => {
      const deposit = await (await casino.deposit()).settle();
      const { status, body } = await deposit.accept();
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(answerKeys);
      expect(body).toMatchObject({
        deposit_id: deposit.id,
        decision: 'accepted',
        adjusted: false,
        crypto_amount: 0.002,
        usd_amount: 100,
        player_amount: 100,
        entity_net_usd: 100,
        affiliate_net_usd: 100,
        charges: [],
        confirmed_crypto: 0.002,
        crypto_rate: '50000',
        fee: 0,
        fee_usd: 0,
        bf_fee_usd: 0,
        bf_spread_usd: 0,
        affiliate_fee_usd: 0,
      });
    });

    it.each<[string, object]>([
      ['no body and no content type', {}],
      ['an empty object', { json: {} }],
      ['the flag false', { json: { adjust_to_received: false } }],
      ['a field that nobody knows', { json: { adjust: 'no' } }],
    ])('may have %s', async (_, call) => {
      const deposit = await (await casino.deposit()).settle();
      expect(verdict(await deposit.accept(call))).toMatchObject({ status: 200, adjusted: false });
    });

    it('goes through while OFAC is timed out', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.confirm();
      await deposit.kyt('passed');
      await deposit.signal('ofac.deadline_missed', 2);
      expect(await deposit.read()).toMatchObject({ acceptable: true, ofac_status: 'timed_out' });
      expect(await acceptOf(deposit)).toMatchObject({ status: 200 });
    });

    it.each(['Succeed', 'Overpaid', 'Underpaid'])('of an eligible fast deposit goes through at %s', async (status) => {
      const amount = { Succeed: '0.002', Overpaid: '0.0021', Underpaid: '0.0019' }[status] ?? '';
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay({ amount });
      await deposit.screen();
      await deposit.guards(true);
      expect(await deposit.read()).toMatchObject({ status, acceptable: true });
      expect(await adjustedOf(deposit)).toMatchObject({ status: 200, crypto_amount: Number(amount) });
    });

    it('of a no-conf deposit waits for KYT', async () => {
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay();
      await deposit.guards(true);
      await deposit.ofac('clear');
      expect(await deposit.read()).toMatchObject({ acceptable: false });
      expect(await acceptOf(deposit)).toEqual(
        refused(409, "Cannot accept: kyt_status is 'pending', must be 'passed'."),
      );
    });
  });

  describe('an accept is refused', () => {
    it('with a body that is no JSON, or empty', async () => {
      const deposit = await (await casino.deposit()).settle();
      for (const text of ['', '{', 'x']) {
        const answer = await deposit.accept({ text, headers: jsonType });
        expect(verdict(answer)).toEqual({ status: 400, detail: 'Malformed JSON in request body' });
      }
    });

    it.each(['true', 1, null, []])('with a flag that is no boolean: %j', async (flag) => {
      const deposit = await (await casino.deposit()).settle();
      expect(verdict(await deposit.accept({ json: { adjust_to_received: flag } }))).toEqual(validation);
      expect(await deposit.read()).toMatchObject({ decision: 'pending' });
    });

    it.each([
      ['accepted', 'accept'],
      ['returned', 'return'],
      ['frozen', 'freeze'],
    ] as const)('after it was %s', async (decision, decide) => {
      const deposit = await (await casino.deposit()).settle();
      await deposit[decide]();
      expect(await acceptOf(deposit)).toEqual(refused(400, `Decision is already '${decision}', cannot accept`));
    });

    it.each(['Succeed', 'Underpaid', 'Overpaid'])('while a standard deposit is unconfirmed: %s', async (status) => {
      const amount = { Succeed: '0.002', Underpaid: '0.001', Overpaid: '0.003' }[status] ?? '';
      const deposit = await casino.deposit();
      await deposit.pay({ amount });
      await deposit.screen();
      expect(await acceptOf(deposit)).toEqual(
        refused(409, `Cannot accept: transaction status is '${status}' (not yet confirmed). Wait for confirmation.`),
      );
    });

    it('while a fast deposit is not eligible, in each of its states', async () => {
      const detail = (state: string) =>
        refused(409, `Cannot accept: no-conf deposit is not eligible yet (state: ${state})`);
      const deposit = await casino.deposit({ no_conf: true });
      expect(await acceptOf(deposit)).toEqual(detail('pending'));
      await deposit.pay();
      expect(await acceptOf(deposit)).toEqual(detail('pending_guards'));
      await deposit.guards(false);
      expect(await acceptOf(deposit)).toEqual(detail('fell_back'));
    });

    it('while nothing was paid, in time or at all', async () => {
      const deposit = await casino.deposit();
      expect(await acceptOf(deposit)).toEqual(refused(409, "Cannot accept: transaction status is 'Pending'."));
      await deposit.expire();
      expect(await acceptOf(deposit)).toEqual(refused(409, "Cannot accept: transaction status is 'Timedout'."));
    });

    it.each(['pending', 'review'])('while KYT is %s', async (status) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.confirm();
      await deposit.ofac('clear');
      if (status === 'review') await deposit.kyt('review');
      expect(await acceptOf(deposit)).toEqual(
        refused(409, `Cannot accept: kyt_status is '${status}', must be 'passed'.`),
      );
    });

    it.each([
      ['0.00200001', /^Amount mismatch: quoted 0\.002 BTC, received 0\.00200001 BTC.*adjust_to_received.*return/s],
      ['0.00199999', /^Amount mismatch: quoted 0\.002 BTC, received 0\.00199999 BTC.*adjust_to_received.*return/s],
    ])('when the amount differs by a unit: %s', async (amount, detail) => {
      const deposit = await (await casino.deposit()).settle({ amount });
      expect(await deposit.read()).toMatchObject({ acceptable: true });
      expect(await acceptOf(deposit)).toEqual(refused(400, detail));
    });
  });

  describe('an accept checks in the order of its table', () => {
    it('the decision, before the double-spend and all else', async () => {
      const deposit = await casino.deposit({ instant: true });
      await deposit.pay();
      await deposit.guards(true);
      await deposit.ofac('clear');
      await deposit.accept();
      await deposit.doubleSpend();
      expect(await acceptOf(deposit)).toEqual(refused(400, "Decision is already 'accepted', cannot accept"));
    });

    it('the double-spend, before eligibility and status', async () => {
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay();
      await deposit.doubleSpend();
      expect(await deposit.read()).toMatchObject({ status: 'Pending', no_conf_state: 'double_spent' });
      expect(await acceptOf(deposit)).toEqual(
        refused(409, 'Cannot accept: the funding transaction was double-spent before confirmation.'),
      );
    });

    it('the confirmation, before OFAC', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      expect(await acceptOf(deposit)).toEqual(refused(409, /not yet confirmed/));
    });

    it('eligibility, before OFAC', async () => {
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay();
      expect(await acceptOf(deposit)).toEqual(refused(409, /not eligible yet/));
    });

    it('OFAC, before the late payment', async () => {
      const deposit = await lateOf('0.002');
      expect(await acceptOf(deposit)).toEqual(coded(409, 'ofac_screen_pending', { ofac_deadline_at: deposit.at(36) }));
    });

    it('OFAC, before KYT', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.confirm();
      expect(await acceptOf(deposit)).toMatchObject({ code: 'ofac_screen_pending' });
    });

    it('the flag of a late payment, before its amount', async () => {
      const deposit = await lateOf('0.000000001', 'ETH');
      await deposit.ofac('clear', 41);
      expect(await acceptOf(deposit)).toEqual(coded(400, 'late_payment_requires_current_rate'));
    });

    it('the amount of a late payment, before the rate', async () => {
      const deposit = await lateOf('0.000000001', 'ETH');
      await deposit.ofac('clear', 41);
      await withRate(service, 'ETH', null, async () => {
        expect(await adjustedOf(deposit)).toEqual(coded(409, 'late_payment_no_received_amount'));
      });
    });

    it('the rate of a late payment, before KYT', async () => {
      const deposit = await lateOf('0.002');
      await deposit.ofac('clear', 41);
      await withRate(service, 'BTC', null, async () => {
        expect(await adjustedOf(deposit)).toEqual(
          coded(502, 'late_payment_rate_unavailable', { detail: 'Unable to fetch BTC rate' }),
        );
      });
      expect(await adjustedOf(deposit)).toEqual(
        refused(409, "Cannot accept: kyt_status is 'pending', must be 'passed'."),
      );
    });

    it('the rate of a late payment, before the ceiling of instant', async () => {
      const deposit = await casino.deposit({ instant: true });
      await deposit.pay({ amount: '0.2', minute: 35 });
      await deposit.guards(true, 36);
      await deposit.ofac('clear', 36);
      await withRate(service, 'BTC', null, async () => {
        expect(await adjustedOf(deposit)).toMatchObject({ status: 502, code: 'late_payment_rate_unavailable' });
      });
      expect(await adjustedOf(deposit)).toMatchObject({ status: 409, code: 'instant_received_over_cap' });
    });

    it('KYT, before an amount that differs', async () => {
      const deposit = await casino.deposit();
      await deposit.pay({ amount: '0.001' });
      await deposit.confirm();
      await deposit.ofac('clear');
      expect(await acceptOf(deposit)).toEqual(
        refused(409, "Cannot accept: kyt_status is 'pending', must be 'passed'."),
      );
    });

    it('KYT, before the precision of a late payment', async () => {
      const deposit = await lateOf('90071992.54740992');
      await deposit.ofac('clear', 41);
      expect(await adjustedOf(deposit)).toEqual(
        refused(409, "Cannot accept: kyt_status is 'pending', must be 'passed'."),
      );
      await deposit.kyt('passed', 42);
      expect(await adjustedOf(deposit)).toEqual(coded(409, 'late_payment_received_precision'));
    });
  });
};
