import { followCount } from '../fast/no-conf-state.ts';
import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import { findPayment, isConfirmed, isLive, putPayment } from '../floor/payment.ts';
import type { PaymentDroppedSignal } from '../floor/signals.ts';
import type { Deposit } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { recount } from './recount.ts';

/** A payment left the mempool and nothing replaced it: it no longer counts. */
export const onPaymentDropped = (deposit: Deposit, signal: PaymentDroppedSignal): Verdict => {
  const known = findPayment(deposit.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (isConfirmed(known)) return rejected('the payment is confirmed: report the reorg first');
  if (!isLive(known)) return ignored(`the payment is ${known.state} already`);
  const { signalId, at, txid, vout } = signal;
  const dropped = { ...deposit, payments: putPayment(deposit.payments, { ...known, state: 'dropped' }) };
  const after = followCount(deposit, recount(dropped, at, signal.currentRate ?? 'unavailable'));
  return applies({ type: 'PaymentDropped', data: { signalId, txid, vout, ...factOf(deposit, after, at) } });
};
