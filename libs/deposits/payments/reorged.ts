import { factOf } from '../fact.ts';
import { followCount } from '../fast/no-conf-state.ts';
import { applies, ignored, rejected, type Verdict } from '../outcome.ts';
import type { PaymentReorgedSignal } from '../signals.ts';
import { type Deposit, stand } from '../state.ts';
import { isCounted } from './counting.ts';
import { findPayment, isConfirmed, type Payment, putPayment } from './payment.ts';
import { recount } from './recount.ts';

const fallsBack = (deposit: Deposit, payment: Payment): boolean =>
  deposit.terms.noConf && deposit.standing.noConfState !== 'double_spent' && isCounted(deposit, payment);

/** The chain dropped the block: unconfirmed again, the decision unchanged, a fast deposit fell back. */
export const onPaymentReorged = (deposit: Deposit, signal: PaymentReorgedSignal): Verdict => {
  const known = findPayment(deposit.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (!isConfirmed(known))
    return known.reorged ? ignored('the payment is unconfirmed already') : rejected('the payment was never confirmed');
  const { signalId, at, txid, vout } = signal;
  const unconfirmed: Payment = { ...known, state: 'unconfirmed', reorged: true };
  const reorged = { ...deposit, payments: putPayment(deposit.payments, unconfirmed) };
  const fallen = fallsBack(deposit, known) ? stand(reorged, { noConfState: 'fell_back' }) : reorged;
  const after = followCount(deposit, recount(fallen, at, signal.currentRate ?? 'unavailable'));
  return applies({
    type: 'PaymentReorged',
    data: { signalId, txid, vout, ...factOf(deposit, after, at, 'confirmation_reorged') },
  });
};
