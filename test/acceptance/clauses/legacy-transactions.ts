import { beforeAll, describe, expect, it } from '@jest/globals';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import {
  type Body,
  engineOf,
  eventually,
  issuesOf,
  jsonType,
  type LegacyPartner,
  legacyRates,
  newCasino,
  newLegacyPartner,
  pinLegacyRates,
  type Service,
  transactionId,
  verdict,
} from '../harness/index.ts';

const read = (dataUrl: unknown): string | undefined => {
  const [, base64 = ''] = /^data:image\/png;base64,(.+)$/.exec(String(dataUrl)) ?? [];
  const { data, width, height } = PNG.sync.read(Buffer.from(base64, 'base64'));
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
};

/** 10.01 USD at the rates of the harness, rounded up to 8 decimals. */
const prices = [
  ['BTC', 'bitcoin', 0.0002002],
  ['LTC', 'litecoin', 0.1001],
  ['DASH', 'dash', 0.33366667],
  ['MARS', 'marscoin', 200.2],
  ['BCH', 'bitcoincash', 0.025025],
] as const;

export const legacyTransactions = (service: Service): void => {
  let partner: LegacyPartner;
  let other: LegacyPartner;
  beforeAll(async () => {
    await pinLegacyRates(service);
    [partner, other] = [await newLegacyPartner(service), await newLegacyPartner(service)];
  });

  const statusOf = async (id: number) => (await partner.check(id)).status;

  describe('POST /create_transaction', () => {
    it.each(prices)('asks for %s at the market rate, to be paid by its URI', async (coin, scheme, crypto) => {
      const order = partner.order({ crypto_selected: coin, amount: 10.01 });
      const { status, body } = await partner.post('/create_transaction', order);
      expect(status).toBe(200);
      const address = String(body.wallet_address);
      expect(body).toEqual({
        transaction_id: expect.any(Number),
        email: order.email,
        description: order.label,
        wallet_address: expect.any(String),
        crypto_amount: crypto,
        usd_amount: 10.01,
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        label: order.label,
        crypto_currency: coin,
        status: 'Started',
        qr_code: expect.any(String),
      });
      const bare = address.replace(/^bitcoincash:/, '');
      expect(read(body.qr_code)).toBe(`${scheme}:${bare}?amount=${crypto}`);
    });

    it.each([
      ['email', undefined],
      ['email', 'nobody'],
      ['email', 7],
      ['amount', undefined],
      ['amount', '100'],
      ['amount', 0],
      ['amount', -1],
      ['amount', null],
      ['amount', 1e308],
      ['crypto_selected', undefined],
      ['crypto_selected', 'ETH'],
      ['crypto_selected', 'DOGE'],
      ['crypto_selected', 'bch'],
      ['crypto_selected', 5],
      ['label', undefined],
      ['label', ''],
      ['label', 5],
      ['label', 'x\u0000'],
      ['access_token', undefined],
      ['access_token', 'nobody'],
      ['access_token', 5],
    ])('answers 401 to a wrong item: %s %j', async (name, value) => {
      const answer = await partner.post('/create_transaction', partner.order({ [name]: value }));
      expect(verdict(answer)).toEqual({ status: 401, detail: expect.any(String) });
    });

    it('answers 401 to a body that is no object, or of another type', async () => {
      for (const text of ['[]', 'null', '"text"', '7'])
        expect((await service.call('POST', '/create_transaction', { headers: jsonType, text })).status).toBe(401);
      const text = JSON.stringify({ access_token: partner.accessToken, ...partner.order() });
      expect((await service.call('POST', '/create_transaction', { text })).status).toBe(401);
    });

    it('answers 502 without a rate', async () => {
      await service.operator('PUT', '/operator/rates/MARS', { usd: null });
      const answer = await partner.post('/create_transaction', partner.order({ crypto_selected: 'MARS' }));
      await service.operator('PUT', '/operator/rates/MARS', { usd: legacyRates.MARS });
      expect(verdict(answer)).toEqual({ status: 502, detail: 'Unable to fetch MARS rate' });
    });

    it('gives every transaction an address of its own', async () => {
      const made = await Promise.all(
        Array.from({ length: 24 }, () => partner.post('/create_transaction', partner.order())),
      );
      expect(new Set(made.map(({ body }) => body.wallet_address)).size).toBe(24);
      expect(new Set(made.map(({ body }) => body.transaction_id)).size).toBe(24);
    });
  });

  describe('POST /check_transaction', () => {
    it('shows what was created, without the QR code', async () => {
      const { body } = await partner.post('/create_transaction', partner.order());
      const { qr_code: _, ...expected } = body;
      expect(await partner.check(Number(body.transaction_id))).toEqual(expected);
    });

    it("finds no other affiliate's transaction, nor one that is not there", async () => {
      const id = await partner.create();
      const notFound = { status: 404, detail: 'Transaction not found' };
      expect(verdict(await other.post('/check_transaction', { transaction_id: id }))).toEqual(notFound);
      for (const transaction_id of [999_999_999, 2 ** 53, 1e300])
        expect(verdict(await partner.post('/check_transaction', { transaction_id }))).toEqual(notFound);
    });

    it.each([undefined, '7', 1.5, -1, null, {}])(
      'answers 401 to a wrong transaction_id: %j',
      async (transaction_id) => {
        expect((await partner.post('/check_transaction', { transaction_id })).status).toBe(401);
        expect((await partner.post('/cancel_transaction', { transaction_id })).status).toBe(401);
      },
    );
  });

  describe('POST /cancel_transaction', () => {
    it('cancels what waits, and brings a refresh token', async () => {
      const id = await partner.create();
      const { status, body } = await partner.post('/cancel_transaction', { transaction_id: id });
      expect({ status, ...body }).toEqual({
        status: 'Cancelled',
        transaction_id: id,
        refresh_token: expect.any(String),
      });
      expect(status).toBe(200);
      expect(await statusOf(id)).toBe('Cancelled');
      const pair = await service.call('POST', '/refresh_token', { json: { refresh_token: body.refresh_token } });
      expect(pair.status).toBe(200);
    });

    it('comes too late when money was seen, and when it is timed out or cancelled', async () => {
      const [paid, over, gone] = [await partner.create(), await partner.create(), await partner.create()];
      await engineOf(service, paid).seen('0.25');
      await engineOf(service, over).timedOut();
      await partner.post('/cancel_transaction', { transaction_id: gone });
      for (const transaction_id of [paid, over, gone]) {
        const answer = await partner.post('/cancel_transaction', { transaction_id });
        expect(verdict(answer)).toEqual({ status: 409, detail: expect.any(String) });
      }
    });

    it('answers 401 to what cannot be parsed', async () => {
      for (const text of ['{', '', 'access_token=1'])
        expect((await service.call('POST', '/cancel_transaction', { headers: jsonType, text })).status).toBe(401);
      const id = await partner.create();
      expect((await other.post('/cancel_transaction', { transaction_id: id })).status).toBe(404);
    });
  });

  describe('the status of a transaction', () => {
    it('Started, money seen: Pending; confirmed and covered: Succeeded', async () => {
      const id = await partner.create();
      const engine = engineOf(service, id);
      expect(await engine.seen('0.25')).toBe('applied');
      expect(await statusOf(id)).toBe('Pending');
      expect(await engine.confirmed()).toBe('applied');
      expect(await statusOf(id)).toBe('Succeeded');
    });

    it('Confirmed while received does not cover the price, until the rest of it is', async () => {
      const id = await partner.create();
      const [first, second] = [engineOf(service, id), engineOf(service, id)];
      await first.seen('0.24999999');
      await first.confirmed();
      expect(await statusOf(id)).toBe('Confirmed');
      await second.seen('0.00000001');
      await second.confirmed();
      expect(await statusOf(id)).toBe('Succeeded');
    });

    it('Confirmed, settled by the operator otherwise: Succeeded', async () => {
      const [byHand, byBatch] = [await partner.create(), await partner.create()];
      for (const id of [byHand, byBatch]) {
        const engine = engineOf(service, id);
        await engine.seen('0.1');
        await engine.confirmed();
      }
      const settle = () => service.operator('POST', `/operator/transactions/${byHand}/settle`, { note: 'agreed' });
      expect((await settle()).body).toMatchObject({ transaction_id: byHand, status: 'Succeeded' });
      expect((await settle()).status).toBe(409);
      const batch = { batch_id: 'b-1' };
      expect(await engineOf(service, byBatch).report('settlement.included', batch)).toBe('applied');
      expect(await statusOf(byBatch)).toBe('Succeeded');
      expect(await engineOf(service, byBatch).report('settlement.included', batch)).toBe('ignored');
      expect(await engineOf(service, byBatch).report('settlement.included', { batch_id: 'b-2' })).toBe('rejected');
    });

    it('Confirmed, settled for what the operator saw there: no longer once it is less', async () => {
      const [id, gone] = [await partner.create(), transactionId()];
      const engine = engineOf(service, id);
      await engine.seen('0.1');
      await engine.confirmed();
      await engine.seen('0.14', { txid: gone });
      await engine.confirmed({ txid: gone });
      const settle = (json: Body) => service.operator('POST', `/operator/transactions/${id}/settle`, json);
      const wrong = await settle({ confirmed_crypto: '0.24' });
      expect([wrong.status, issuesOf(wrong)]).toMatchObject([400, [{ path: ['confirmed_crypto'] }]]);
      await engine.report('payment.reorged', { txid: gone });
      expect(await settle({ confirmed_crypto: 0.24 })).toMatchObject({
        status: 409,
        body: {
          code: 'crypto_stands_otherwise',
          detail: 'Cannot settle: confirmed_crypto is 0.1 now, and 0.24 is what was looked at',
        },
      });
      expect(await statusOf(id)).toBe('Confirmed');
      expect((await settle({ confirmed_crypto: 0.1 })).body).toMatchObject({ status: 'Succeeded' });
    });

    it('Succeeded, and its money gone since: stays so, and no batch takes it', async () => {
      const id = await partner.create();
      const engine = engineOf(service, id);
      const txid = transactionId();
      await engine.seen('0.25', { txid });
      await engine.confirmed({ txid });
      await engine.report('payment.reorged', { txid });
      await engine.report('payment.double_spent', { txid, replaced_by: transactionId() });
      const batch = { batch_id: 'b-1' };
      expect(await engine.report('settlement.included', batch)).toBe('rejected');
      const { body } = await service.operator('GET', `/operator/signals?transaction_id=${id}&outcome=rejected`);
      expect(body.signals).toMatchObject([
        { detail: expect.stringMatching(/^settlement is withheld \(double_spent\)/) },
      ]);
      expect(await statusOf(id)).toBe('Succeeded');
    });

    it('Timedout after 15 minutes, while nothing was seen', async () => {
      const id = await partner.create();
      expect(await engineOf(service, id).timedOut()).toBe('applied');
      expect(await statusOf(id)).toBe('Timedout');
      expect(await engineOf(service, id).timedOut()).toBe('ignored');
    });

    it.each(['Timedout', 'Cancelled'])('%s, money seen late: Pending, flagged for the operator', async (status) => {
      const id = await partner.create();
      if (status === 'Timedout') await engineOf(service, id).timedOut();
      else await partner.post('/cancel_transaction', { transaction_id: id });
      expect(await statusOf(id)).toBe(status);
      await engineOf(service, id).seen('0.25');
      expect(await statusOf(id)).toBe('Pending');
      const query = `affiliate_id=${partner.affiliateId}&flagged=true`;
      const page = await service.operator('GET', `/operator/transactions?${query}`);
      expect(page.body.transactions).toEqual(
        expect.arrayContaining([expect.objectContaining({ transaction_id: id, flags: ['late_payment'] })]),
      );
    });

    it('goes back when the payment is dropped or double-spent, and after a reorg', async () => {
      const [dropped, spent, reorged] = [await partner.create(), await partner.create(), await partner.create()];
      for (const [id, type] of [
        [dropped, 'payment.dropped'],
        [spent, 'payment.double_spent'],
      ] as const) {
        const engine = engineOf(service, id);
        const txid = 'ab'.repeat(31) + String(id).padStart(2, '0').slice(-2);
        await engine.seen('0.25', { txid });
        expect(await engine.report(type, { txid, replaced_by: 'other' })).toBe('applied');
        expect(await statusOf(id)).toBe('Started');
      }
      const engine = engineOf(service, reorged);
      await engine.seen('0.1', { txid: 'reorged' });
      await engine.confirmed({ txid: 'reorged' });
      expect(await engine.report('payment.reorged', { txid: 'reorged' })).toBe('applied');
      expect(await statusOf(reorged)).toBe('Pending');
    });
  });

  describe('a signal', () => {
    it('finds a transaction by its address too', async () => {
      const { body } = await partner.post('/create_transaction', partner.order());
      const about = { transaction_id: undefined, address: body.wallet_address };
      expect(await engineOf(service, 0).seen('0.25', about)).toBe('applied');
      expect(await statusOf(Number(body.transaction_id))).toBe('Pending');
    });

    it('of no transaction, or of what no transaction has a use for, is rejected', async () => {
      expect(await engineOf(service, 999_999_999).seen('1')).toBe('rejected');
      const id = await partner.create();
      expect(await engineOf(service, id).report('kyt.completed', { status: 'passed' })).toBe('rejected');
      expect(await engineOf(service, id).confirmed()).toBe('rejected');
      expect(await statusOf(id)).toBe('Started');
      const { body } = await service.operator('GET', `/operator/signals?transaction_id=${id}`);
      expect(body.signals).toMatchObject([
        { transaction_id: id, deposit_id: null, outcome: 'rejected' },
        { transaction_id: id, type: 'kyt.completed', outcome: 'rejected' },
      ]);
    });

    it('counts once', async () => {
      const id = await partner.create();
      const engine = engineOf(service, id);
      await engine.seen('0.25', { signal_id: `once-${id}` });
      expect(await engine.seen('0.25', { signal_id: `once-${id}` })).toBe('duplicate');
      expect(await engine.seen('0.25')).toBe('ignored');
    });
  });

  describe('operators', () => {
    it('see transactions by pages, newest first, and the events of each', async () => {
      const ids = [await partner.create(), await partner.create(), await partner.create()];
      const query = `affiliate_id=${partner.affiliateId}&limit=2`;
      const first = await service.operator('GET', `/operator/transactions?${query}`);
      const idsOf = (body: typeof first.body) =>
        (body.transactions as { transaction_id: number }[]).map(({ transaction_id }) => transaction_id);
      expect(idsOf(first.body)).toEqual([ids[2], ids[1]]);
      const next = await service.operator('GET', `/operator/transactions?${query}&cursor=${first.body.next_cursor}`);
      expect(idsOf(next.body)[0]).toBe(ids[0]);
      await engineOf(service, ids[0] ?? 0).seen('0.25');
      const { body } = await service.operator('GET', `/operator/transactions/${ids[0]}/events`);
      expect(body.events).toMatchObject([
        { revision: 0, type: 'LegacyTransactionStarted', prev_hash: null },
        { revision: 1, type: 'LegacyPaymentSeen', hash: expect.any(String) },
      ]);
      expect(JSON.stringify(body)).not.toContain('mail.example');
    });

    it('read and refuse as with deposits', async () => {
      expect((await service.operator('GET', '/operator/transactions/x/events')).status).toBe(400);
      expect((await service.operator('GET', '/operator/transactions/999999999/events')).status).toBe(404);
      expect((await service.operator('POST', '/operator/transactions/999999999/settle', {})).status).toBe(404);
      expect((await service.call('GET', '/operator/transactions')).status).toBe(401);
      const { engineToken } = service.access();
      expect((await service.operator('GET', '/operator/transactions', undefined, engineToken)).status).toBe(403);
    });

    it('may erase the e-mail of a transaction', async () => {
      const id = await partner.create();
      const erased = async (of: number | string) =>
        (await service.operator('DELETE', `/operator/transactions/${of}/email`)).status;
      expect(await erased(id)).toBe(204);
      expect((await partner.check(id)).email).toBeNull();
      expect(await erased(id)).toBe(204);
      expect([await erased(999_999_999), await erased('45266633437823172958274715648')]).toEqual([404, 404]);
    });

    it('rebuild the projection while transactions are read', async () => {
      const id = await partner.create();
      const route = '/operator/projections/legacy_transactions/rebuild';
      expect((await service.operator('POST', route)).status).toBe(202);
      expect(await statusOf(id)).toBe('Started');
      const live = async () => {
        const { body } = await service.operator('GET', '/operator/projections');
        return (body.projections as { name: string; state: string }[]).find(
          ({ name }) => name === 'legacy_transactions',
        );
      };
      expect(await eventually(live, (found) => found?.state === 'live')).toMatchObject({ state: 'live' });
      expect(await statusOf(id)).toBe('Started');
    });
  });

  describe('one output of a transaction', () => {
    it.each(prices.map(([coin]) => coin))('pays one of two that are told of it: %s', async (coin) => {
      const order = { crypto_selected: coin };
      const [first, second] = [await partner.create(order), await other.create(order)];
      const [one, two] = [engineOf(service, first), engineOf(service, second)];
      const txid = transactionId();
      expect(await one.seen('1', { txid })).toBe('applied');
      expect(await two.seen('1', { txid })).toBe('rejected');
      expect(await two.confirmed({ txid })).toBe('rejected');
      expect((await other.check(second)).status).toBe('Started');
      expect(await two.seen('1', { txid, vout: 1 })).toBe('applied');
      expect(await one.report('payment.dropped', { txid })).toBe('applied');
      expect([await two.seen('1', { txid }), await one.seen('1', { txid })]).toEqual(['rejected', 'applied']);
    });

    it.each(['BTC', 'LTC'])('pays a deposit or one of these, whichever was told first: %s', async (coin) => {
      const casino = await newCasino(service);
      const [paid, unpaid] = [await casino.deposit({ currency: coin }), await casino.deposit({ currency: coin })];
      const transaction = engineOf(service, await partner.create({ crypto_selected: coin }));
      expect([await paid.pay(), await transaction.seen('1', { txid: paid.txid })]).toEqual(['applied', 'rejected']);
      expect(await transaction.seen('1', { txid: unpaid.txid })).toBe('applied');
      expect(await unpaid.pay()).toBe('rejected');
      expect(await unpaid.read()).toMatchObject({ status: 'Pending', confirmed_crypto: null });
    });
  });
};
