import { factOf } from '../fact.ts';
import { followCount } from '../fast/no-conf-state.ts';
import { applies, ignored, rejected, type Verdict } from '../outcome.ts';
import type { PaymentConfirmedSignal } from '../signals.ts';
import type { Deposit } from '../state.ts';
import { findPayment, isConfirmed, putPayment } from './payment.ts';
import { recount } from './recount.ts';

/** A payment that was dropped or double-spent and is confirmed after all counts again. */
export const onPaymentConfirmed = (deposit: Deposit, signal: PaymentConfirmedSignal): Verdict => {
  const known = findPayment(deposit.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (!(signal.confirmations >= 1)) return rejected('confirmations has to be 1 or more');
  if (isConfirmed(known)) return ignored('the payment is confirmed already');
  const { signalId, at, txid, vout, confirmations, blockHash, blockHeight } = signal;
  const confirmed = {
    ...deposit,
    payments: putPayment(deposit.payments, { ...known, state: 'confirmed', reorged: false }),
  };
  const after = followCount(deposit, recount(confirmed, at, signal.currentRate ?? 'unavailable'));
  return applies({
    type: 'PaymentConfirmed',
    data: { signalId, txid, vout, confirmations, blockHash, blockHeight, ...factOf(deposit, after, at) },
  });
};
