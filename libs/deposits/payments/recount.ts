import { toText } from '#money';
import { downgradeIfOverCeiling, receivedValue } from '../fast/received-value.ts';
import type { CurrentRate } from '../quote/amounts.ts';
import { type Deposit, stand } from '../state.ts';
import type { Instant } from '../time.ts';
import { countingPayments } from './counting.ts';
import { isTimely, keyOf } from './payment.ts';
import { statusAfter, totalOf } from './status.ts';

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
