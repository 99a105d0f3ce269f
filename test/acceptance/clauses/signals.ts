import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Body,
  type Casino,
  type DepositHandle,
  newCasino,
  type Service,
  transactionId,
  unique,
  verdict,
} from '../harness/index.ts';

export const signals = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  const seen = (deposit: DepositHandle, fields: Body = {}): Body => ({
    signal_id: unique('seen'),
    type: 'payment.seen',
    deposit_id: deposit.id,
    at: deposit.at(1),
    txid: deposit.txid,
    amount: '0.002',
    ...fields,
  });
  const outcomes = async (...list: Body[]) => (await service.signals(list)).map(({ outcome }) => outcome);
  const post = (body: unknown, token = service.access().engineToken) =>
    service.operator('POST', '/engine/signals', body, token);

  describe('a signal', () => {
    it('is applied, and its effect stands when the answer comes', async () => {
      const deposit = await casino.deposit();
      const signal = seen(deposit);
      expect(await service.signals([signal])).toEqual(
        [{ signal_id: signal.signal_id, outcome: 'applied', detail: null }].map(expect.objectContaining),
      );
      expect(await deposit.read()).toMatchObject({ status: 'Succeed' });
      expect((await casino.deposits('&limit=1')).deposits[0]).toMatchObject({ id: deposit.id, status: 'Succeed' });
    });

    it('has defaults: vout 0, not replaceable, no funding addresses', async () => {
      const deposit = await casino.deposit({ no_conf: true });
      expect(await outcomes(seen(deposit))).toEqual(['applied']);
      expect(await deposit.read()).toMatchObject({ no_conf_state: 'pending_guards' });
      expect(
        await deposit.signal('payment.confirmed', 5, {
          txid: deposit.txid,
          vout: 0,
          confirmations: 1,
          block_hash: 'b',
          block_height: 1,
        }),
      ).toBe('applied');
    });

    it('is a duplicate with the same id, also within one call, and changes nothing', async () => {
      const deposit = await casino.deposit();
      const signal = seen(deposit, { amount: '0.001' });
      expect(await outcomes(signal, { ...signal, amount: '0.5' })).toEqual(['applied', 'duplicate']);
      expect(await outcomes({ ...signal, txid: transactionId() })).toEqual(['duplicate']);
      expect(await deposit.read()).toMatchObject({ confirmed_crypto: 0.001 });
    });

    it('with one id at the same moment from many sides is applied once', async () => {
      const deposit = await casino.deposit();
      const signal = seen(deposit);
      const results = await Promise.all(Array.from({ length: 6 }, () => outcomes(signal)));
      expect(results.flat().filter((outcome) => outcome === 'applied')).toHaveLength(1);
    });

    it('is ignored when it tells nothing new: the same payment under a new id', async () => {
      const deposit = await casino.deposit();
      expect(await outcomes(seen(deposit), seen(deposit))).toEqual(['applied', 'ignored']);
      expect(await deposit.confirm()).toBe('applied');
      expect(await deposit.confirm()).toBe('ignored');
      expect(await deposit.read()).toMatchObject({ confirmed_crypto: 0.002 });
    });

    it('may name the address instead of the deposit', async () => {
      for (const currency of ['BTC', 'ETH']) {
        const deposit = await casino.deposit({ currency, amount: 100 });
        const amount = deposit.quote.crypto_amount.toFixed(8);
        const { address } = deposit.quote;
        const signal = { ...seen(deposit, { amount }), deposit_id: undefined, address };
        expect(await outcomes(signal)).toEqual(['applied']);
        expect(await deposit.read()).toMatchObject({ status: 'Succeed' });
      }
    });

    it('has its own time: of the past, of the future and out of order', async () => {
      const deposit = await casino.deposit();
      expect(await deposit.confirm()).toBe('rejected');
      expect(await outcomes(seen(deposit, { at: '2019-01-01T00:00:00.000Z' }))).toEqual(['applied']);
      const next = await casino.deposit();
      await next.pay({ minute: 60 * 24 * 365 });
      expect(await next.read()).toMatchObject({ late_payment: true });
      expect(await next.confirm(next.txid, -60)).toBe('applied');
    });

    it('has an id of at most 128 characters', async () => {
      const deposit = await casino.deposit();
      const longest = unique('id').padEnd(128, '-');
      expect(await outcomes(seen(deposit, { signal_id: `${longest}x` }))).toEqual(['rejected']);
      expect(await outcomes(seen(deposit, { signal_id: longest }))).toEqual(['applied']);
    });
  });

  describe('a signal is rejected, with the reason, for', () => {
    const wrong: readonly (readonly [string, Body])[] = [
      ['a payment of 0', { amount: '0' }],
      ['a payment below 0', { amount: '-0.1' }],
      ['an amount that is a number', { amount: 0.002 }],
      ['an amount that is none', { amount: 'much' }],
      ['an amount without end', { amount: 'Infinity' }],
      ['an amount with an exponent of its own', { amount: '1e400' }],
      ['no amount', { amount: undefined }],
      ['no transaction', { txid: undefined }],
      ['an empty transaction', { txid: '' }],
      ['a transaction with a blank before it', { txid: ` ${transactionId()}` }],
      ['an output below 0', { vout: -1 }],
      ['an output that no transaction can have', { vout: 2 ** 32 }],
      ['an output that is text', { vout: '0' }],
      ['addresses that are no list', { funding_addresses: 'bc1q' }],
      ['a flag that is text', { replaceable: 'false' }],
      ['no time', { at: undefined }],
      ['a time that is none', { at: 'yesterday' }],
      ['a time that is a number', { at: 1_700_000_000 }],
      ['an unknown type', { type: 'payment.lost' }],
      ['no type', { type: undefined }],
      ['no deposit', { deposit_id: undefined }],
      ['a deposit nobody made', { deposit_id: 999_999_999 }],
      ['a deposit that is text', { deposit_id: '1' }],
      ['an address nobody has', { deposit_id: undefined, address: 'bc1q-nobodys' }],
      ['an id that is a number', { signal_id: 7 }],
      ['an empty id', { signal_id: '' }],
    ];

    it.each(wrong)('%s', async (_, fields) => {
      const deposit = await casino.deposit();
      const [result] = await service.signals([seen(deposit, fields)]);
      expect(result).toMatchObject({ outcome: 'rejected', detail: expect.stringMatching(/./) });
      expect(await deposit.read()).toMatchObject({ status: 'Pending', confirmed_crypto: null });
    });

    const unknownPayment: readonly (readonly [string, Body])[] = [
      ['payment.confirmed', { confirmations: 1, block_hash: 'b', block_height: 1 }],
      ['payment.dropped', {}],
      ['payment.double_spent', { replaced_by: transactionId() }],
      ['payment.reorged', {}],
    ];

    it.each(unknownPayment)('an unknown payment: %s', async (type, fields) => {
      const deposit = await casino.deposit();
      expect(await deposit.signal(type, 5, { txid: transactionId(), ...fields })).toBe('rejected');
    });

    it.each<[string, Body]>([
      ['kyt.completed', { status: 'fine', risk_score: '0.1' }],
      ['kyt.completed', { status: 'passed', risk_score: 'low' }],
      ['ofac.completed', { status: 'maybe' }],
      ['guards.completed', { passed: 'true' }],
      ['settlement.included', {}],
      ['refund.broadcast', { refund_txid: 'a' }],
    ])('a field that is malformed: %s %j', async (type, fields) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      expect(await deposit.signal(type, 5, fields)).toBe('rejected');
    });

    it('being no object at all, and spoils no other', async () => {
      const deposit = await casino.deposit();
      const { status, body } = await post({ signals: [null, 'text', [], 7, {}, seen(deposit)] });
      expect(status).toBe(200);
      const results = body.results as { outcome: string }[];
      expect(results.map(({ outcome }) => outcome)).toEqual([...Array(5).fill('rejected'), 'applied']);
    });
  });

  describe('one output of a transaction', () => {
    it.each(['BTC', 'LTC'])('belongs to one deposit: %s', async (currency) => {
      const [first, other] = [await casino.deposit({ currency }), await casino.deposit({ currency })];
      expect(await first.pay()).toBe('applied');
      expect(await other.pay({ txid: first.txid })).toBe('rejected');
      expect(await other.read()).toMatchObject({ status: 'Pending', confirmed_crypto: null });
      expect(await other.pay({ txid: first.txid, vout: 1 })).toBe('applied');
      expect(await first.pay()).toBe('ignored');
      await first.drop();
      expect(await other.pay({ txid: first.txid })).toBe('rejected');
      expect(await first.pay()).toBe('applied');
    });

    it('is the same with 0x before the hash or without', async () => {
      const [first, other] = [await casino.deposit(), await casino.deposit()];
      const spelled = `0x${first.txid}`;
      expect([await first.pay(), await other.pay({ txid: spelled })]).toEqual(['applied', 'rejected']);
      expect([await first.pay({ txid: spelled }), await first.confirm(spelled)]).toEqual(['ignored', 'applied']);
      expect(await first.read()).toMatchObject({ status: 'Confirmed' });
    });

    it('belongs to one deposit of many that are told of it at once', async () => {
      const deposits = await Promise.all(Array.from({ length: 4 }, () => casino.deposit()));
      const txid = transactionId();
      const told = await Promise.all(deposits.map((deposit) => deposit.pay({ txid })));
      expect(told.toSorted()).toEqual(['applied', 'rejected', 'rejected', 'rejected']);
    });

    it('may be in several deposits in ETH, where a transaction has none', async () => {
      const [first, other] = [await casino.deposit({ currency: 'ETH' }), await casino.deposit({ currency: 'ETH' })];
      expect([await first.pay(), await other.pay({ txid: first.txid })]).toEqual(['applied', 'applied']);
    });
  });

  describe('payments without end', () => {
    it('are taken up to 1,000, 500 in a call, the last 500 only from a thousandth of the quote on', async () => {
      const deposit = await casino.deposit();
      const pay = (first: number, count: number, amount: string) =>
        outcomes(...Array.from({ length: count }, (_, place) => seen(deposit, { vout: first + place, amount })));
      expect(await pay(0, 500, '0.00000001')).toEqual(Array(500).fill('applied'));
      expect(await deposit.read()).toMatchObject({ confirmed_crypto: 0.000005 });
      expect(await pay(500, 2, '0.00000199')).toEqual(['ignored', 'ignored']);
      expect(await pay(500, 2, '0.000002')).toEqual(['applied', 'applied']);
    }, 60_000);

    it('give their places back when they are gone', async () => {
      const deposit = await casino.deposit();
      const txid = transactionId();
      const vouts = Array.from({ length: 500 }, (_, vout) => vout);
      await outcomes(...vouts.map((vout) => seen(deposit, { txid, vout, amount: '0.00000001' })));
      const dust = () => outcomes(seen(deposit, { txid: transactionId(), amount: '0.00000001' }));
      expect(await dust()).toEqual(['ignored']);
      await outcomes(...vouts.map((vout) => seen(deposit, { type: 'payment.dropped', txid, vout })));
      expect(await dust()).toEqual(['applied']);
    }, 60_000);
  });

  describe('a list of signals', () => {
    it('is applied in its order for each deposit, and answered in its order', async () => {
      const [one, two] = [await casino.deposit(), await casino.deposit()];
      const confirmed = ({ id, txid, at }: DepositHandle): Body => ({
        signal_id: unique('confirmed'),
        type: 'payment.confirmed',
        deposit_id: id,
        at: at(2),
        txid,
        confirmations: 1,
        block_hash: 'b',
        block_height: 1,
      });
      const list = [confirmed(one), seen(two), seen(one), confirmed(two), confirmed(one)];
      const results = await service.signals(list);
      expect(results.map(({ signal_id }) => signal_id)).toEqual(list.map(({ signal_id }) => signal_id));
      expect(results.map(({ outcome }) => outcome)).toEqual(['rejected', 'applied', 'applied', 'applied', 'applied']);
      expect([(await one.read()).status, (await two.read()).status]).toEqual(['Confirmed', 'Confirmed']);
    });

    it('may be empty, and may not have more than 500', async () => {
      expect(await service.signals([])).toEqual([]);
      const deposit = await casino.deposit();
      const many = Array.from({ length: 501 }, (_, vout) => seen(deposit, { vout, amount: '0.00000001' }));
      const tooMany = await post({ signals: many });
      expect(tooMany.status).toBe(400);
      expect(await deposit.read()).toMatchObject({ status: 'Pending' });
    });

    it.each([{}, { signals: null }, { signals: 'none' }, { signals: {} }, [], 'text'])(
      'is needed: %j',
      async (body) => {
        expect((await post(body)).status).toBe(400);
      },
    );
  });

  describe('who may signal', () => {
    const tokenOf = async (role: string) =>
      String((await service.operator('POST', '/operator/tokens', { role, name: unique(role) })).body.token);

    it('the engine and an admin', async () => {
      expect((await post({ signals: [] })).status).toBe(200);
      expect((await post({ signals: [] }, service.access().operatorToken)).status).toBe(200);
      expect((await post({ signals: [] }, await tokenOf('engine'))).status).toBe(200);
    });

    it.each(['ops', 'auditor'])('and not %s', async (role) => {
      expect(verdict(await post({ signals: [] }, await tokenOf(role)))).toEqual({
        status: 403,
        detail: expect.stringMatching(/./),
      });
    });

    it('and nobody without a token, nor with an API key', async () => {
      expect((await service.call('POST', '/engine/signals', { json: { signals: [] } })).status).toBe(401);
      expect((await casino.call('POST', '/engine/signals', { json: { signals: [] } })).status).toBe(401);
      expect((await post({ signals: [] }, 'wrong')).status).toBe(401);
    });
  });
};
