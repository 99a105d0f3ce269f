import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Casino,
  type DepositHandle,
  deliveriesOf,
  done,
  type Endpoint,
  endpoints,
  hookedCasinos,
  namesOf,
  type Service,
  toldOf,
  transactionId,
  unique,
  webhookOf,
} from '../harness/index.ts';

const paid = ['transaction.pending', 'deposit.received', 'transaction.succeed'];
const confirmed = ['deposit.confirmed', 'transaction.confirmed'];
const screened = ['kyt_complete', 'ofac_complete'];
const ready = [...paid, ...confirmed, ...screened];

/** Which webhooks a history sends: all that arrived, and no more was made by then. */
export const webhookEvents = (service: Service): void => {
  const hooked = hookedCasinos(service, endpoints());
  let casino: Casino;
  let endpoint: Endpoint;
  beforeAll(async () => {
    ({ casino, endpoint } = await hooked());
  });

  /** Another deposit closes the history: with its own webhook every earlier one was made. */
  const expectTold = async (deposit: DepositHandle, events: readonly string[]): Promise<void> => {
    await webhookOf(endpoint, await casino.deposit(), 'transaction.pending');
    await toldOf(endpoint, deposit, events.length);
    const arrived = namesOf(endpoint.arrivals.filter(({ body }) => body.deposit_id === deposit.id));
    const made = (await deliveriesOf(service, { deposit_id: deposit.id })).map(({ event }) => event);
    const expected = [...events].sort();
    expect({ arrived: arrived.sort(), made: made.sort() }).toEqual({ arrived: expected, made: expected });
  };

  const paidDeposit = async (fields = {}) => {
    const deposit = await casino.deposit(fields);
    await deposit.pay();
    return deposit;
  };
  const settled = async (fields = {}) => (await casino.deposit(fields)).settle();
  const review = (deposit: DepositHandle, result: string) =>
    service.operator('POST', `/operator/deposits/${deposit.id}/kyt-review`, { result, note: 'looked at it' });

  describe('a payment', () => {
    it('is told when it is seen, and when it is confirmed', async () => {
      const deposit = await paidDeposit();
      await deposit.confirm();
      await expectTold(deposit, [...paid, ...confirmed]);
    });

    it.each([
      ['underpaid', '0.001'],
      ['overpaid', '0.003'],
    ])('of another amount is %s', async (status, amount) => {
      const deposit = await casino.deposit();
      await deposit.pay({ amount });
      await expectTold(deposit, ['transaction.pending', 'deposit.received', `transaction.${status}`]);
    });

    it('is told each, the status only where it changes', async () => {
      const deposit = await casino.deposit();
      for (const minute of [1, 2, 3]) await deposit.pay({ amount: '0.0009', minute, txid: transactionId() });
      await expectTold(deposit, [
        'transaction.pending',
        ...Array.from({ length: 3 }, () => 'deposit.received'),
        'transaction.underpaid',
        'transaction.overpaid',
      ]);
    });

    it('that does not count is not told: a late one beside a timely one', async () => {
      const deposit = await paidDeposit();
      await deposit.pay({ txid: transactionId(), minute: 40 });
      await deposit.confirm();
      await expectTold(deposit, [...paid, ...confirmed]);
    });

    it('that comes after the confirmation counts later, and is not told when it is seen', async () => {
      const deposit = await paidDeposit();
      await deposit.confirm();
      await deposit.pay({ txid: transactionId(), minute: 12 });
      await deposit.kyt('passed', 15);
      await expectTold(deposit, [...paid, ...confirmed, 'kyt_complete']);
    });

    it('that is seen again is told again only after it was gone', async () => {
      const deposit = await paidDeposit();
      await deposit.pay({ minute: 2 });
      await deposit.drop();
      await deposit.pay({ minute: 12 });
      await expectTold(deposit, [...paid, 'transaction.pending', 'deposit.received', 'transaction.succeed']);
    });

    it('that is gone past the expiry leaves the deposit timed out', async () => {
      const deposit = await paidDeposit();
      await deposit.drop(deposit.txid, 31);
      await expectTold(deposit, [...paid, 'transaction.timedout']);
    });

    it('that is late restores a deposit that was timed out', async () => {
      const deposit = await casino.deposit();
      await deposit.expire();
      await deposit.pay({ minute: 40 });
      await deposit.confirm(deposit.txid, 50);
      await expectTold(deposit, [...paid, 'transaction.timedout', ...confirmed]);
    });

    it('whose block the chain drops is confirmed a second time', async () => {
      const deposit = await paidDeposit();
      await deposit.confirm();
      await deposit.reorg();
      await deposit.confirm(deposit.txid, 20);
      await expectTold(deposit, [...paid, ...confirmed, 'transaction.succeed', ...confirmed]);
    });

    it('that a signal repeats, or no signal may tell, sends nothing', async () => {
      const deposit = await paidDeposit();
      await deposit.pay();
      await deposit.confirm(transactionId());
      await deposit.expire();
      await deposit.confirm();
      await expectTold(deposit, [...paid, ...confirmed]);
    });
  });

  describe('screening', () => {
    it('is told with each result of KYT, and the same again is not', async () => {
      const deposit = await paidDeposit();
      for (const [minute, result] of ['review', 'review', 'passed', 'passed', 'failed'].entries()) {
        await deposit.kyt(result, minute + 2);
      }
      await expectTold(deposit, [...paid, 'kyt_complete', 'kyt_complete', 'kyt_complete']);
    });

    it.each(['review', 'failed'])('of a confirmed deposit makes it ConfirmedKYTReview: %s', async (result) => {
      const deposit = await paidDeposit();
      await deposit.confirm();
      await deposit.kyt(result, 12);
      await expectTold(deposit, [...paid, ...confirmed, 'kyt_complete', 'transaction.confirmed']);
    });

    it('in review at the confirmation: it is told once, as ConfirmedKYTReview', async () => {
      const deposit = await paidDeposit();
      await deposit.kyt('review');
      await deposit.confirm();
      await expectTold(deposit, [...paid, 'kyt_complete', ...confirmed]);
    });

    it('is told by an operator too, whose approval makes it ConfirmedApproved', async () => {
      const deposit = await paidDeposit();
      await deposit.kyt('review');
      await deposit.confirm();
      await review(deposit, 'passed');
      await expectTold(deposit, [...paid, 'kyt_complete', ...confirmed, 'kyt_complete', 'transaction.confirmed']);
    });

    it('that an operator judges as failed freezes, and is told as kyt_complete alone', async () => {
      const deposit = await paidDeposit();
      await deposit.kyt('review');
      await review(deposit, 'failed');
      expect((await deposit.read()).decision).toBe('frozen');
      await expectTold(deposit, [...paid, 'kyt_complete', 'kyt_complete']);
    });

    it('is told when OFAC is timed out, and when it answers after that', async () => {
      const deposit = await paidDeposit();
      await deposit.signal('ofac.deadline_missed', 2);
      await deposit.ofac('clear');
      await deposit.ofac('clear', 6);
      await expectTold(deposit, [...paid, 'ofac_complete', 'ofac_complete']);
    });

    it.each(['hit', 'failed'])('that freezes is told as its result, not as deposit.frozen: %s', async (alarm) => {
      const deposit = await paidDeposit();
      await (alarm === 'hit' ? deposit.ofac('hit') : deposit.kyt('failed'));
      expect((await deposit.read()).decision).toBe('frozen');
      await expectTold(deposit, [...paid, alarm === 'hit' ? 'ofac_complete' : 'kyt_complete']);
    });

    it('that a new funding address sets back tells nothing until its next result', async () => {
      const deposit = await paidDeposit();
      await deposit.screen();
      await deposit.pay({ txid: transactionId(), amount: '0.001', minute: 8, funding: ['another-address'] });
      const reset = [...paid, ...screened, 'deposit.received', 'transaction.overpaid'];
      expect((await deposit.read()).kyt_status).toBe('pending');
      await deposit.kyt('passed', 10);
      await deposit.ofac('clear', 10);
      await expectTold(deposit, [...reset, ...screened]);
    });

    it('goes on after a decision, and is told', async () => {
      const deposit = await paidDeposit();
      await deposit.confirm();
      await deposit.kyt('passed');
      await deposit.signal('ofac.deadline_missed', 2);
      await deposit.accept();
      await deposit.ofac('hit', 15);
      await expectTold(deposit, [...ready, 'deposit.accepted', 'ofac_complete']);
    });
  });

  describe('a double-spend', () => {
    it('of a fast deposit is an alert', async () => {
      const deposit = await paidDeposit({ no_conf: true });
      await deposit.guards(true);
      await deposit.doubleSpend();
      await expectTold(deposit, [...paid, 'double_spend_alert', 'transaction.pending']);
    });

    it('after an accept is an alert all the same', async () => {
      const deposit = await paidDeposit({ no_conf: true });
      await deposit.guards(true);
      await deposit.screen();
      done(await deposit.accept());
      await deposit.doubleSpend();
      await expectTold(deposit, [
        ...paid,
        ...screened,
        'deposit.accepted',
        'double_spend_alert',
        'transaction.pending',
      ]);
    });

    it('of a standard deposit is none', async () => {
      const deposit = await paidDeposit();
      await deposit.doubleSpend();
      await expectTold(deposit, [...paid, 'transaction.pending']);
    });
  });

  describe('a decision', () => {
    it('is told once: an accept', async () => {
      const deposit = await settled();
      await deposit.accept();
      await deposit.accept();
      await expectTold(deposit, [...ready, 'deposit.accepted']);
    });

    it('is told once: a freeze through its endpoint', async () => {
      const deposit = await settled();
      await deposit.freeze();
      await deposit.freeze();
      await expectTold(deposit, [...ready, 'deposit.frozen']);
    });

    it('to return is told at once, and its refund with each broadcast', async () => {
      const deposit = await settled();
      const { return_id } = done(await deposit.return());
      await expectTold(deposit, [...ready, 'deposit.returned']);
      const first = transactionId();
      await deposit.signal('refund.broadcast', 40, { return_id, refund_txid: first });
      await deposit.signal('refund.dropped', 45, { return_id, refund_txid: first });
      await deposit.signal('refund.broadcast', 50, { return_id, refund_txid: transactionId() });
      await expectTold(deposit, [...ready, 'deposit.returned', 'transaction.refund', 'transaction.refund']);
    });

    it('that is settled is told once', async () => {
      const deposit = await settled();
      await deposit.accept();
      const batch_id = unique('batch');
      await deposit.signal('settlement.included', 60, { batch_id });
      await deposit.signal('settlement.included', 61, { batch_id });
      await expectTold(deposit, [...ready, 'deposit.accepted', 'transaction.settled']);
    });
  });
};
