import { isConfirmed, isLive, isTimely, keyOf, type Payment, type PaymentRef } from '../floor/payment.ts';
import type { Deposit } from '../floor/state.ts';
import { isConfirmedStatus } from './status.ts';

/** Late payments count only where no timely one does. */
const timelyFirst = (deposit: Deposit, payments: readonly Payment[]): readonly Payment[] => {
  const timely = payments.filter((payment) => isTimely(payment, deposit.terms.expiresAt));
  return timely.length > 0 ? timely : payments;
};

/** Asked of each of up to a thousand payments: a list gone through for each would be a million looks for one signal. */
export const countedIn = ({ standing }: Pick<Deposit, 'standing'>): ((payment: PaymentRef) => boolean) => {
  const keys = new Set(standing.counted);
  return (payment) => keys.has(keyOf(payment));
};

/** A confirmed deposit keeps its amount: what comes beside counts once it has a confirmation of its own. */
const whileConfirmed = (deposit: Deposit, live: readonly Payment[]): readonly Payment[] | undefined => {
  if (!isConfirmedStatus(deposit.standing.status)) return undefined;
  const isKnown = countedIn(deposit);
  const known = live.filter((payment) => isConfirmed(payment) || isKnown(payment));
  const counting = timelyFirst(deposit, known);
  return counting.length > 0 && counting.every(isConfirmed) ? counting : undefined;
};

/** The payments that count now. After a decision: those of the ones that counted at it that are still there. */
export const countingPayments = (deposit: Deposit): readonly Payment[] => {
  const live = deposit.payments.filter(isLive);
  if (deposit.standing.decision !== 'pending') return live.filter(countedIn(deposit));
  return whileConfirmed(deposit, live) ?? timelyFirst(deposit, live);
};

export const isCounted = (deposit: Deposit, payment: Payment): boolean =>
  countingPayments(deposit).some((counting) => keyOf(counting) === keyOf(payment));
