import { toText } from '#money';
import type { CurrentRate } from '../floor/amounts.ts';
import { isTimely, keyOf } from '../floor/payment.ts';
import { type Deposit, stand } from '../floor/state.ts';
import type { Instant } from '../floor/time.ts';
import { countingPayments } from '../standing/counting.ts';
import { downgradeIfOverCeiling, receivedValue } from '../standing/received-value.ts';
import { statusAfter, totalOf } from '../standing/status.ts';

/**
 * Brings the standing in line with the payments. After a decision only the status follows, from the payments that
 * counted at it: no money field and no received amount changes any more.
 */
export const recount = (deposit: Deposit, at: Instant, currentRate: CurrentRate): Deposit => {
  const counting = countingPayments(deposit);
  const status = statusAfter(deposit, counting, at);
  if (deposit.standing.decision !== 'pending') return stand(deposit, { status });
  const recounted = stand(deposit, {
    status,
    counted: counting.map(keyOf),
    confirmedCrypto: counting.length > 0 ? toText(totalOf(counting)) : null,
    latePayment: counting.length > 0 && !counting.some((payment) => isTimely(payment, deposit.terms.expiresAt)),
  });
  const unchanged =
    recounted.standing.confirmedCrypto === deposit.standing.confirmedCrypto &&
    recounted.standing.latePayment === deposit.standing.latePayment;
  return unchanged
    ? recounted
    : downgradeIfOverCeiling(stand(recounted, { receivedUsd: receivedValue(recounted, currentRate) }));
};
