import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Body,
  type Casino,
  canonical,
  type Deposit,
  type DepositHandle,
  done,
  type Endpoint,
  echoed,
  echoedOf,
  endpoints,
  hookedCasinos,
  nothingEchoed,
  type Service,
  toldOf,
  transactionId,
  unique,
  webhookOf,
} from '../harness/index.ts';
import { everyFee } from './quote.ts';

const unixSeconds = (at: string): number => Math.floor(Date.parse(at) / 1000);

/** Each payload is the deposit as a partner read it right after the event. */
export const webhookPayloads = (service: Service): void => {
  const hooked = hookedCasinos(service, endpoints());
  let casino: Casino;
  let endpoint: Endpoint;
  beforeAll(async () => {
    ({ casino, endpoint } = await hooked({ external_code: 'P-1', fees: everyFee }));
  });

  const common = (event: string, deposit: Deposit, at: string): Body => ({
    event,
    deposit_id: deposit.id,
    transaction_id: deposit.transaction_id,
    entity_id: deposit.entity_id,
    entity_external_code: 'P-1',
    gambler_ref: deposit.gambler_ref,
    decision: deposit.decision,
    instant: deposit.instant,
    instant_downgraded: deposit.instant_downgraded,
    acceptable: deposit.acceptable,
    crypto_amount: deposit.crypto_amount,
    confirmed_crypto: deposit.confirmed_crypto,
    currency: deposit.currency,
    timestamp: unixSeconds(at),
  });

  const generic = (event: string, deposit: Deposit, at: string): Body => ({
    event,
    transaction_id: deposit.transaction_id,
    deposit_id: deposit.id,
    entity_id: deposit.entity_id,
    entity_external_code: 'P-1',
    status: deposit.status,
    currency: deposit.currency,
    crypto_amount: deposit.crypto_amount,
    confirmed_crypto: deposit.confirmed_crypto,
    usd_amount: deposit.usd_amount,
    timestamp: unixSeconds(at),
  });

  const payment = (deposit: Deposit, txids: readonly string[]): Body => ({
    status: deposit.status,
    address: deposit.wallet,
    txids,
    no_conf: deposit.no_conf,
    no_conf_state: deposit.no_conf_state,
    ...echoedOf(deposit),
  });

  const payloadOf = async (deposit: DepositHandle, event: string, nth?: number): Promise<Body> =>
    (await webhookOf(endpoint, deposit, event, nth)).body;

  /** A step, and the deposit as it stands after it. */
  const standing = async (deposit: DepositHandle, step: Promise<unknown>): Promise<Deposit> => {
    await step;
    return deposit.read();
  };

  const settled = async (fields: Body = {}) => (await casino.deposit(fields)).settle();
  const decidedAt = ({ decision_at }: Deposit): string => decision_at ?? 'never';

  describe('the payload of', () => {
    it('transaction.pending tells of the quote', async () => {
      const deposit = await casino.deposit();
      const quoted = await deposit.read();
      expect(await payloadOf(deposit, 'transaction.pending')).toEqual(
        generic('transaction.pending', quoted, quoted.created_at),
      );
    });

    it.each([
      ['succeed', '0.00211225'],
      ['underpaid', '0.00211224'],
      ['overpaid', '0.00211226'],
    ])('transaction.%s tells of the status that a payment made', async (status, amount) => {
      const deposit = await casino.deposit();
      const paid = await standing(deposit, deposit.pay({ amount }));
      const event = `transaction.${status}`;
      expect(await payloadOf(deposit, event)).toEqual(generic(event, paid, deposit.at(1)));
      expect(paid.status.toLowerCase()).toBe(status);
    });

    it('transaction.timedout tells that nothing came', async () => {
      const deposit = await casino.deposit();
      const expired = await standing(deposit, deposit.expire());
      const event = 'transaction.timedout';
      expect(await payloadOf(deposit, event)).toEqual(generic(event, expired, deposit.at(30)));
      expect(expired).toMatchObject({ status: 'Timedout', confirmed_crypto: null });
    });

    it('transaction.confirmed names the status itself, which may be ConfirmedKYTReview and ConfirmedApproved', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      const confirmed = await standing(deposit, deposit.confirm());
      const held = await standing(deposit, deposit.kyt('review', 12));
      await service.operator('POST', `/operator/deposits/${deposit.id}/kyt-review`, { result: 'passed', note: 'fine' });
      const approved = await deposit.read();
      await toldOf(endpoint, deposit, 9);
      const event = 'transaction.confirmed';
      const told = endpoint.arrivals.filter(({ body }) => body.event === event && body.deposit_id === deposit.id);
      expect(told.map(({ body }) => body)).toHaveLength(3);
      expect(told.map(({ body }) => body)).toEqual(
        expect.arrayContaining([
          generic(event, confirmed, deposit.at(10)),
          generic(event, held, deposit.at(12)),
          { ...generic(event, approved, deposit.at(0)), timestamp: expect.any(Number) },
        ]),
      );
      expect([confirmed.status, held.status, approved.status]).toEqual([
        'Confirmed',
        'ConfirmedKYTReview',
        'ConfirmedApproved',
      ]);
    });

    it('deposit.received and deposit.confirmed tell of the payment', async () => {
      const deposit = await casino.deposit(echoed);
      const seen = await standing(deposit, deposit.pay());
      const confirmed = await standing(deposit, deposit.confirm());
      expect(await payloadOf(deposit, 'deposit.received')).toEqual({
        ...common('deposit.received', seen, deposit.at(1)),
        ...payment(seen, [deposit.txid]),
      });
      expect(await payloadOf(deposit, 'deposit.confirmed')).toEqual({
        ...common('deposit.confirmed', confirmed, deposit.at(10)),
        ...payment(confirmed, [deposit.txid]),
      });
      expect([seen.status, confirmed.status, echoedOf(seen)]).toEqual(['Succeed', 'Confirmed', echoed]);
    });

    it('deposit.confirmed names every payment that counts', async () => {
      const [deposit, second] = [await casino.deposit(), transactionId()];
      await deposit.pay({ amount: '0.001' });
      const both = await standing(deposit, deposit.pay({ amount: '0.002', txid: second, minute: 3 }));
      await deposit.confirm();
      const confirmed = await standing(deposit, deposit.confirm(second, 14));
      const txids = expect.arrayContaining([deposit.txid, second]);
      const told = await payloadOf(deposit, 'deposit.confirmed');
      expect(told).toEqual({
        ...common('deposit.confirmed', confirmed, deposit.at(14)),
        ...payment(confirmed, []),
        txids,
      });
      expect(told.txids).toHaveLength(2);
      expect(await payloadOf(deposit, 'transaction.overpaid')).toEqual(
        generic('transaction.overpaid', both, deposit.at(3)),
      );
    });

    it('deposit.received and deposit.confirmed name no payment that is gone', async () => {
      const [deposit, second] = [await casino.deposit(), transactionId()];
      await deposit.pay();
      await deposit.drop();
      await deposit.pay({ txid: second, minute: 12 });
      await deposit.confirm(second, 20);
      expect(await payloadOf(deposit, 'deposit.confirmed')).toMatchObject({ txids: [second] });
      await toldOf(endpoint, deposit, 8);
      const received = endpoint.arrivals.filter(
        ({ body }) => body.deposit_id === deposit.id && body.event === 'deposit.received',
      );
      expect(received.map(({ body }) => body.txids)).toEqual(expect.arrayContaining([[deposit.txid], [second]]));
    });

    it('deposit.received and deposit.confirmed name a late payment as such', async () => {
      const late = await casino.deposit();
      const seen = await standing(late, late.pay({ minute: 40 }));
      const confirmed = await standing(late, late.confirm(late.txid, 50));
      expect(await payloadOf(late, 'deposit.received')).toEqual({
        ...common('deposit.received', seen, late.at(40)),
        ...payment(seen, [late.txid]),
        late_payment: true,
      });
      expect(await payloadOf(late, 'deposit.confirmed')).toEqual({
        ...common('deposit.confirmed', confirmed, late.at(50)),
        ...payment(confirmed, [late.txid]),
        late_payment: true,
      });
    });

    it('a fast deposit tells its state and its ceiling', async () => {
      const deposit = await casino.deposit({ instant: true });
      const seen = await standing(deposit, deposit.pay({ amount: '0.5' }));
      expect(await payloadOf(deposit, 'deposit.received')).toEqual({
        ...common('deposit.received', seen, deposit.at(1)),
        ...payment(seen, [deposit.txid]),
      });
      expect(seen).toMatchObject({ instant: true, instant_downgraded: true, no_conf_state: 'pending_guards' });
    });

    it.each(['passed', 'review', 'failed'])('kyt_complete tells the result and the score: %s', async (result) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      const screened = await standing(deposit, deposit.kyt(result, 6, '12.5'));
      expect(await payloadOf(deposit, 'kyt_complete')).toEqual({
        ...common('kyt_complete', screened, deposit.at(6)),
        kyt_status: result,
        kyt_risk_score: screened.kyt_risk_score,
      });
      expect([screened.kyt_risk_score, screened.decision]).toEqual([
        expect.stringMatching(/^12\.50?$/),
        result === 'failed' ? 'frozen' : 'pending',
      ]);
    });

    it.each(['timed_out', 'clear', 'hit'])('ofac_complete tells the result: %s', async (result) => {
      const deposit = await casino.deposit();
      await deposit.pay();
      const answered = result === 'timed_out' ? deposit.signal('ofac.deadline_missed', 2) : deposit.ofac(result, 2);
      const screened = await standing(deposit, answered);
      expect(await payloadOf(deposit, 'ofac_complete')).toEqual({
        ...common('ofac_complete', screened, deposit.at(2)),
        ofac_result: result,
      });
      expect(screened.decision).toBe(result === 'hit' ? 'frozen' : 'pending');
    });

    it('double_spend_alert tells what replaced the payment', async () => {
      const deposit = await casino.deposit({ no_conf: true });
      await deposit.pay();
      const replacement = transactionId();
      const spent = await standing(deposit, deposit.doubleSpend(deposit.txid, 6, replacement));
      expect(await payloadOf(deposit, 'double_spend_alert')).toEqual({
        ...common('double_spend_alert', spent, deposit.at(6)),
        double_spent_at: deposit.at(6),
        double_spend_txid: replacement,
        no_conf_state: 'double_spent',
      });
    });

    it('deposit.accepted is the answer of the accept', async () => {
      const deposit = await settled(echoed);
      const answer = done(await deposit.accept());
      const accepted = await deposit.read();
      expect(await payloadOf(deposit, 'deposit.accepted')).toEqual({
        ...common('deposit.accepted', accepted, decidedAt(accepted)),
        ...answer,
        address: accepted.wallet,
        decision_at: accepted.decision_at,
        no_conf: false,
        ...echoed,
      });
      expect(answer).toMatchObject({ adjusted: false, crypto_rate: '49000', charges: { length: everyFee.length } });
    });

    it('deposit.accepted has the final amounts of an adjusted accept', async () => {
      const deposit = await (await casino.deposit()).settle({ amount: '0.00414' });
      const answer = done(await deposit.acceptAdjusted());
      const accepted = await deposit.read();
      const told = await payloadOf(deposit, 'deposit.accepted');
      expect(told).toEqual({
        ...common('deposit.accepted', accepted, decidedAt(accepted)),
        ...answer,
        address: accepted.wallet,
        decision_at: accepted.decision_at,
        no_conf: false,
        ...nothingEchoed,
      });
      expect(told).toMatchObject({ adjusted: true, player_amount: 196, crypto_amount: 0.00414, crypto_rate: '49000' });
    });

    it.each([
      ['the player asked', 'the player asked'],
      [undefined, null],
    ])('deposit.returned tells where the crypto goes, and why: %s', async (reason, told) => {
      const deposit = await settled();
      const { return_id } = done(await deposit.return({ json: { return_address: 'bc1q-mine', reason } }));
      const returned = await deposit.read();
      expect(await payloadOf(deposit, 'deposit.returned')).toEqual({
        ...common('deposit.returned', returned, decidedAt(returned)),
        decision_at: returned.decision_at,
        return_id,
        return_address: 'bc1q-mine',
        reason: told,
      });
    });

    it('deposit.frozen tells when', async () => {
      const deposit = await settled();
      await deposit.freeze();
      const frozen = await deposit.read();
      expect(await payloadOf(deposit, 'deposit.frozen')).toEqual({
        ...common('deposit.frozen', frozen, decidedAt(frozen)),
        decision_at: frozen.decision_at,
      });
    });

    it('transaction.refund tells of the return and its transaction', async () => {
      const deposit = await settled();
      const { return_id } = done(await deposit.return());
      const refund_txid = transactionId();
      const refunded = await standing(deposit, deposit.signal('refund.broadcast', 40, { return_id, refund_txid }));
      expect(await payloadOf(deposit, 'transaction.refund')).toEqual({
        ...generic('transaction.refund', refunded, deposit.at(40)),
        return_id,
        refund_txid,
      });
      expect(refunded.status).toBe('Refund');
    });

    it('transaction.settled leaves the status as it was', async () => {
      const deposit = await settled();
      await deposit.accept();
      const batched = await standing(deposit, deposit.signal('settlement.included', 60, { batch_id: unique('batch') }));
      expect(await payloadOf(deposit, 'transaction.settled')).toEqual(
        generic('transaction.settled', batched, deposit.at(60)),
      );
      expect(batched.status).toBe('Confirmed');
    });
  });

  describe('a payload', () => {
    it('has its keys in order at every level, no white space, the shortest numbers, and is UTF-8', async () => {
      const gambler_ref = unique('Spielerin-Ünïçødé-玩家-🎲-"quoted"');
      const deposit = await casino.deposit({}, await casino.player({ gambler_ref }));
      await deposit.settle();
      await deposit.accept();
      await webhookOf(endpoint, deposit, 'deposit.accepted');
      const told = endpoint.arrivals.filter(({ body }) => body.deposit_id === deposit.id);
      expect(told.length).toBeGreaterThan(6);
      for (const { raw, body } of told) expect(raw.toString('utf8')).toBe(canonical(body));
      expect((await payloadOf(deposit, 'deposit.accepted')).gambler_ref).toBe(gambler_ref);
    });

    it('knows nothing of what came after its event', async () => {
      const deposit = await casino.deposit();
      const fact = (type: string, minute: number, fields: Body = {}) => ({
        signal_id: unique(type),
        type,
        deposit_id: deposit.id,
        at: deposit.at(minute),
        ...fields,
      });
      await service.signals([
        fact('payment.seen', 1, { txid: deposit.txid, amount: '0.002', funding_addresses: ['a'] }),
        fact('payment.seen', 2, { txid: transactionId(), amount: '0.00011225', funding_addresses: ['a'] }),
        fact('ofac.completed', 3, { status: 'clear' }),
        fact('kyt.completed', 4, { status: 'failed', risk_score: '99' }),
      ]);
      const open = { decision: 'pending', acceptable: false };
      expect(await payloadOf(deposit, 'transaction.pending')).toMatchObject({ confirmed_crypto: null });
      expect(await payloadOf(deposit, 'transaction.underpaid')).toMatchObject({ confirmed_crypto: 0.002 });
      await toldOf(endpoint, deposit, 7);
      const received = endpoint.arrivals.filter(
        ({ body }) => body.deposit_id === deposit.id && body.event === 'deposit.received',
      );
      expect(received.map(({ body }) => body)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ ...open, status: 'Underpaid', confirmed_crypto: 0.002, txids: [deposit.txid] }),
          expect.objectContaining({ ...open, status: 'Succeed', confirmed_crypto: 0.00211225 }),
        ]),
      );
      expect(await payloadOf(deposit, 'ofac_complete')).toMatchObject({ ...open, ofac_result: 'clear' });
      expect(await payloadOf(deposit, 'kyt_complete')).toMatchObject({ decision: 'frozen', kyt_status: 'failed' });
    });

    it('says that a deposit is acceptable from the event that made it so', async () => {
      const deposit = await casino.deposit();
      await deposit.pay();
      await deposit.kyt('passed');
      await deposit.ofac('clear', 6);
      await deposit.confirm();
      const acceptable = async (event: string) => (await payloadOf(deposit, event)).acceptable;
      expect(await acceptable('deposit.received')).toBe(false);
      expect(await acceptable('kyt_complete')).toBe(false);
      expect(await acceptable('ofac_complete')).toBe(false);
      expect(await acceptable('deposit.confirmed')).toBe(true);
      await deposit.accept();
      expect(await acceptable('deposit.accepted')).toBe(false);
    });

    it('has the money of its event: an adjusted accept changes no earlier one', async () => {
      const deposit = await (await casino.deposit()).settle({ amount: '0.00414' });
      const quoted = await deposit.read();
      await deposit.acceptAdjusted();
      const accepted = await deposit.read();
      await deposit.reorg(deposit.txid, 20);
      expect(await payloadOf(deposit, 'deposit.confirmed')).toMatchObject({ crypto_amount: quoted.crypto_amount });
      const { crypto_amount, usd_amount } = accepted;
      expect(await payloadOf(deposit, 'transaction.overpaid', 2)).toBeDefined();
      const again = endpoint.arrivals.filter(
        ({ body }) => body.deposit_id === deposit.id && body.event === 'transaction.overpaid',
      );
      expect(again.map(({ body }) => [body.crypto_amount, body.usd_amount])).toEqual(
        expect.arrayContaining([
          [quoted.crypto_amount, quoted.usd_amount],
          [crypto_amount, usd_amount],
        ]),
      );
      expect(crypto_amount).not.toBe(quoted.crypto_amount);
    });

    it.each([{ entity: { mode: 'test' } }, { key: { mode: 'test' } }])(
      'of test data has no mark of it: %j',
      async ({ entity = {}, key = {} }) => {
        const own = await hooked(entity, undefined, { key });
        const deposit = await own.casino.deposit();
        const { body, headers } = await webhookOf(own.endpoint, deposit, 'transaction.pending');
        expect(Object.keys(body)).not.toContain('test');
        expect(headers).not.toHaveProperty('x-webhook-test');
      },
    );

    it('of a casino without a code has none', async () => {
      const own = await hooked();
      const deposit = await own.casino.deposit();
      await deposit.pay();
      for (const event of ['transaction.pending', 'deposit.received']) {
        expect((await webhookOf(own.endpoint, deposit, event)).body).toMatchObject({ entity_external_code: null });
      }
    });
  });
};
