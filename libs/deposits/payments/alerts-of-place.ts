import type { Alert } from '../floor/events.ts';
import { findPayment, isLive, isTimely, keyOf, type Payment } from '../floor/payment.ts';
import type { Deposit } from '../floor/state.ts';
import { countedIn, countingPayments } from '../standing/counting.ts';

/**
 * "A late payment beside a timely one that counts: not counted, recorded, operators alerted", whichever of the two came
 * to be there with this payment; and after a decision a payment that changes nothing any more. One that counted at it is
 * followed on, also where it comes back.
 */
export const alertsOfPlace = (before: Deposit, after: Deposit, payment: Payment): readonly Alert[] => {
  const wasCounted = countedIn(before);
  if (before.standing.decision !== 'pending') return wasCounted(payment) ? [] : ['payment_after_decision'];
  const counting = countingPayments(after);
  const timely = counting.some((counted) => isTimely(counted, after.terms.expiresAt));
  const lateBeside = after.payments.some(
    (other) =>
      isLive(other) &&
      !isTimely(other, after.terms.expiresAt) &&
      (keyOf(other) === keyOf(payment) || wasCounted(other)),
  );
  return timely && lateBeside ? ['late_payment_not_counted'] : [];
};

/**
 * Of one that was there all the time was told when it was seen: here it tells of those that it ousts alone, or that the
 * decision came before its confirmation.
 */
export const alertsOfConfirmed = (before: Deposit, after: Deposit, payment: Payment): readonly Alert[] => {
  const known = findPayment(before.payments, payment);
  const isNews =
    known === undefined ||
    !isLive(known) ||
    before.untold.includes(keyOf(known)) ||
    countedIn(after)(payment) !== countedIn(before)(payment);
  return isNews ? alertsOfPlace(before, after, payment) : [];
};
