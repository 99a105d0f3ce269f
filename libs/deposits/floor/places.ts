import { type Amount, amount, type DecimalText } from '#money';
import type { Payment } from './payment.ts';

/**
 * Everything that is known of a deposit or of an older transaction is folded from its events, again and again: thousands
 * of outputs, which cost their sender next to nothing, would make a single one slow for everybody.
 */
const MOST_PAYMENTS = 1_000;

/** Kept for payments that are more than dust, so that dust never shuts out the real one. */
const KEPT_PLACES = 500;

const THOUSANDTH = '0.001';

/** Whether there is no place for one more, of a price of so much. */
export const isWithoutPlace = (payments: readonly Payment[], price: DecimalText, received: Amount): boolean => {
  const left = MOST_PAYMENTS - payments.length;
  return left <= 0 || (left <= KEPT_PLACES && received.lessThan(amount(price).times(THOUSANDTH)));
};
