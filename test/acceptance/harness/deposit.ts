import type { Answer, Body, Call } from './http.ts';
import type { Partner } from './partner.ts';
import { done, type Service, type SignalResult } from './service.ts';
import { as, type Deposit, type Quote } from './shapes.ts';
import { transactionId, unique } from './unique.ts';

export type Payment = {
  readonly amount?: string;
  readonly txid?: string;
  readonly vout?: number;
  /** Minutes after the quote: it expires at 30. */
  readonly minute?: number;
  readonly funding?: readonly string[];
  readonly replaceable?: boolean;
};

type Outcome = SignalResult['outcome'];

export type DepositHandle = {
  readonly id: number;
  readonly quote: Quote;
  /** The transaction of the first payment, where none is named. */
  readonly txid: string;
  readonly at: (minute: number) => string;
  readonly signal: (type: string, minute: number, fields?: Body) => Promise<Outcome>;
  readonly pay: (payment?: Payment) => Promise<Outcome>;
  readonly confirm: (txid?: string, minute?: number) => Promise<Outcome>;
  readonly drop: (txid?: string, minute?: number) => Promise<Outcome>;
  readonly doubleSpend: (txid?: string, minute?: number, replacedBy?: string) => Promise<Outcome>;
  readonly reorg: (txid?: string, minute?: number) => Promise<Outcome>;
  readonly guards: (passed: boolean, minute?: number) => Promise<Outcome>;
  readonly kyt: (status: string, minute?: number, score?: string) => Promise<Outcome>;
  readonly ofac: (status: string, minute?: number) => Promise<Outcome>;
  readonly expire: () => Promise<Outcome>;
  /** Passed and clear. */
  readonly screen: () => Promise<void>;
  /** Paid as quoted unless told, confirmed and screened. */
  readonly settle: (payment?: Payment) => Promise<DepositHandle>;
  readonly read: () => Promise<Deposit>;
  readonly accept: (call?: Call) => Promise<Answer>;
  readonly acceptAdjusted: () => Promise<Answer>;
  readonly return: (call?: Call) => Promise<Answer>;
  readonly freeze: () => Promise<Answer>;
};

const HALF_HOUR_MS = 30 * 60_000;

const returnTo = { json: { return_address: 'bc1q-somewhere' } };

/** A deposit and all that can happen to it; facts lie on the quote's own time line. */
export const depositOf = (service: Service, partner: Partner, quote: Quote): DepositHandle => {
  const id = quote.deposit_id;
  const first = transactionId();
  const funder = unique('funder');
  const quotedAt = Date.parse(quote.expires_at) - HALF_HOUR_MS;
  const at = (minute: number): string => new Date(quotedAt + minute * 60_000).toISOString();
  const signal: DepositHandle['signal'] = async (type, minute, fields = {}) => {
    const [result] = await service.signals([
      { signal_id: unique(type), type, deposit_id: id, at: at(minute), ...fields },
    ]);
    if (!result) throw new Error('no result came for the signal');
    return result.outcome;
  };
  const pay: DepositHandle['pay'] = ({ amount = quote.crypto_amount.toFixed(8), minute = 1, ...rest } = {}) => {
    const { txid = first, vout = 0, funding = [funder], replaceable = false } = rest;
    return signal('payment.seen', minute, { txid, vout, amount, funding_addresses: funding, replaceable });
  };
  const confirm: DepositHandle['confirm'] = (txid = first, minute = 10) =>
    signal('payment.confirmed', minute, { txid, confirmations: 1, block_hash: unique('block'), block_height: 800_000 });
  const kyt: DepositHandle['kyt'] = (status, minute = 5, score = '0.1') =>
    signal('kyt.completed', minute, { status, risk_score: score });
  const ofac: DepositHandle['ofac'] = (status, minute = 5) => signal('ofac.completed', minute, { status });
  const decide = (verb: string, call?: Call) => partner.call('POST', `/casino/deposit/${id}/${verb}`, call);
  const screen = async (): Promise<void> => {
    await kyt('passed');
    await ofac('clear');
  };
  const handle: DepositHandle = {
    id,
    quote,
    txid: first,
    at,
    signal,
    pay,
    confirm,
    kyt,
    ofac,
    screen,
    drop: (txid = first, minute = 11) => signal('payment.dropped', minute, { txid }),
    doubleSpend: (txid = first, minute = 11, replacedBy = transactionId()) =>
      signal('payment.double_spent', minute, { txid, replaced_by: replacedBy }),
    reorg: (txid = first, minute = 12) => signal('payment.reorged', minute, { txid }),
    guards: (passed, minute = 3) => signal('guards.completed', minute, { passed, reason: passed ? null : 'low fee' }),
    expire: () => signal('quote.expired', 30),
    settle: async (payment) => {
      await pay(payment);
      await confirm(payment?.txid, (payment?.minute ?? 1) + 9);
      await screen();
      return handle;
    },
    read: async () => as<Deposit>(done(await partner.call('GET', `/casino/deposit/${id}`))),
    accept: (call) => decide('accept', call),
    acceptAdjusted: () => decide('accept', { json: { adjust_to_received: true } }),
    return: (call = returnTo) => decide('return', call),
    freeze: () => decide('freeze'),
  };
  return handle;
};
