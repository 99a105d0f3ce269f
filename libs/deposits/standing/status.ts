import { type Amount, amount, cutCrypto, sum } from '#money';
import { isConfirmed, type Payment } from '../floor/payment.ts';
import type { Deposit } from '../floor/state.ts';
import { type Instant, isAfter } from '../floor/time.ts';
import type { PaymentStatus } from '../floor/words.ts';

export const isConfirmedStatus = (status: PaymentStatus): boolean =>
  status === 'Confirmed' || status === 'ConfirmedApproved' || status === 'ConfirmedKYTReview';

export const isPaidUnconfirmed = (status: PaymentStatus): boolean =>
  status === 'Succeed' || status === 'Underpaid' || status === 'Overpaid';

export const totalOf = (payments: readonly Payment[]): Amount => sum(payments.map((payment) => amount(payment.amount)));

/** A difference of 1e-8 counts, digits past the eighth do not. */
const unconfirmedStatus = (received: Amount, quoted: Amount): PaymentStatus => {
  const order = cutCrypto(received).comparedTo(cutCrypto(quoted));
  if (order === 0) return 'Succeed';
  return order < 0 ? 'Underpaid' : 'Overpaid';
};

const confirmedStatus = ({ standing }: Deposit): PaymentStatus => {
  if (isConfirmedStatus(standing.status)) return standing.status;
  return standing.kytStatus === 'review' || standing.kytStatus === 'failed' ? 'ConfirmedKYTReview' : 'Confirmed';
};

/** Where the payments that count put the deposit. A broadcast return is the end: nothing moves it from Refund. */
export const statusAfter = (deposit: Deposit, counting: readonly Payment[], at: Instant): PaymentStatus => {
  if (deposit.standing.status === 'Refund') return 'Refund';
  if (counting.length === 0) return deposit.expired || isAfter(at, deposit.terms.expiresAt) ? 'Timedout' : 'Pending';
  return counting.every(isConfirmed)
    ? confirmedStatus(deposit)
    : unconfirmedStatus(totalOf(counting), amount(deposit.quotedCrypto));
};
