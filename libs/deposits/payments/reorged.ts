import { followCount } from '../fast/no-conf-state.ts';
import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import { findPayment, isConfirmed, type Payment, putPayment } from '../floor/payment.ts';
import type { PaymentReorgedSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { isCounted } from '../standing/counting.ts';
import { factOf } from '../standing/fact.ts';
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
