import { amount, type DecimalText, toText } from '#money';
import type { CurrentRate } from '../floor/amounts.ts';
import { type Deposit, stand } from '../floor/state.ts';

/** The rate that values what was received: the quote's, and for a late deposit the current one. */
export const valuationRate = ({ amounts, standing }: Deposit, currentRate: CurrentRate): CurrentRate =>
  standing.latePayment ? currentRate : amounts.marketRate;

/** Market value of what was received on an instant deposit; null when it has none or cannot be valued. */
export const receivedValue = (deposit: Deposit, currentRate: CurrentRate): DecimalText | null => {
  const { confirmedCrypto } = deposit.standing;
  const rate = valuationRate(deposit, currentRate);
  if (!deposit.terms.instant || confirmedCrypto === null || rate === 'unavailable') return null;
  return amount(rate).greaterThan(0) ? toText(amount(confirmedCrypto).times(amount(rate))) : null;
};

export const isOverCeiling = ({ terms }: Deposit, valueUsd: DecimalText | null): boolean =>
  valueUsd !== null &&
  terms.instantReceivedMaxUsd !== null &&
  amount(valueUsd).greaterThan(amount(terms.instantReceivedMaxUsd));

/** Above the ceiling it stops being instant, for good, and waits for KYT. */
export const downgradeIfOverCeiling = (deposit: Deposit): Deposit =>
  isOverCeiling(deposit, deposit.standing.receivedUsd) ? stand(deposit, { instantDowngraded: true }) : deposit;
