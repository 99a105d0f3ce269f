import { followCount } from '../fast/no-conf-state.ts';
import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import { findPayment, isConfirmed, keyOf, type Payment, putPayment, replaced } from '../floor/payment.ts';
import { isKnownReplacement, replacesItself } from '../floor/rival.ts';
import type { PaymentDoubleSpentSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { isCounted } from '../standing/counting.ts';
import { factOf } from '../standing/fact.ts';
import { recount } from './recount.ts';

/** Whether a payment that was dropped would count if it were there again. */
const wouldCount = (deposit: Deposit, payment: Payment): boolean => {
  const back: Payment = { ...payment, state: 'unconfirmed' };
  return isCounted({ ...deposit, payments: putPayment(deposit.payments, back) }, back);
};

/** A payment beside the deposit (a late one, one after the decision or a confirmation) takes no part in the race. */
const racedFor = (deposit: Deposit, payment: Payment): boolean =>
  isCounted(deposit, payment) || (payment.state === 'dropped' && wouldCount(deposit, payment));

/**
 * Before its first confirmation a payment was replaced. A fast deposit is never acceptable again. What takes its place
 * later on is remembered, and changes nothing else.
 */
export const onPaymentDoubleSpent = (deposit: Deposit, signal: PaymentDoubleSpentSignal): Verdict => {
  const known = findPayment(deposit.payments, signal);
  if (!known) return rejected('the payment was never seen');
  if (isConfirmed(known)) return rejected('the payment is confirmed: a confirmation ends the race');
  const { signalId, at, txid, vout, replacedBy } = signal;
  if (replacesItself(known, replacedBy)) return rejected('replaced_by has to be another transaction');
  const isSpent = known.state === 'double_spent';
  if (isSpent && isKnownReplacement(known, replacedBy)) return ignored('the payment is double_spent already');
  const spent = { ...deposit, payments: putPayment(deposit.payments, replaced(known, replacedBy)) };
  const lost = deposit.terms.noConf && racedFor(deposit, known);
  const told = { doubleSpentAt: at, doubleSpendTxid: replacedBy };
  const marked = lost ? stand(spent, { noConfState: 'double_spent', ...told }) : spent;
  const after = followCount(deposit, recount(marked, at, signal.currentRate ?? 'unavailable'));
  const credited =
    !isSpent && deposit.standing.decision === 'accepted' && deposit.standing.counted.includes(keyOf(known));
  const fact = factOf(deposit, after, at, credited && 'double_spent_after_accept');
  // Said of every payment: the partner is told of each, also where one transaction took two at the same moment.
  const changes = { ...fact.changes, ...(lost && told) };
  return applies({ type: 'PaymentDoubleSpent', data: { signalId, txid, vout, replacedBy, ...fact, changes } });
};
