import { type Amount, amount, type DecimalText } from '#money';
import { isLive, type Payment } from './payment.ts';
import type { Unplaced } from './signal-set-aside.ts';

/**
 * Everything that is known of a deposit or of an older transaction is folded from its events, again and again: thousands
 * of outputs, which cost their sender next to nothing, would make a single one slow for everybody.
 */
const MOST_PAYMENTS = 1_000;

/** Kept for payments that are more than dust, so that dust never shuts out the real one. */
const KEPT_PLACES = 500;

const THOUSANDTH = '0.001';

/**
 * Of all that ever came, with those that are gone. A stranger replaces a transaction as often as he likes by the same
 * coin: without an end that would be a history without one.
 */
const MOST_EVER = 3_000;

/** Of these the last are kept for what is more than dust too, and the very last for what he cannot pay in hundreds. */
const KEPT_OF_EVER = 1_000;
const KEPT_FOR_LARGE = 500;

const TENTH = '0.1';

/** Which part of the price a payment has to be; undefined: none finds a place. */
const leastShare = (living: number, ever: number): string | undefined => {
  if (living >= MOST_PAYMENTS || ever >= MOST_EVER) return undefined;
  if (ever >= MOST_EVER - KEPT_FOR_LARGE) return TENTH;
  const isKept = living >= MOST_PAYMENTS - KEPT_PLACES || ever >= MOST_EVER - KEPT_OF_EVER;
  return isKept ? THOUSANDTH : '0';
};

/** More than all others: a stranger's crowd is seldom confirmed, and what is confirmed is money for good. */
const KEPT_FOR_CONFIRMED = 500;

/** A deposit has no more payments, those that are gone among them. */
export const MOST_KNOWN_PAYMENTS = MOST_EVER + KEPT_FOR_CONFIRMED;

const isDust = (price: DecimalText, received: Amount): boolean => received.lessThan(amount(price).times(THOUSANDTH));

/** Of a payment that found no place when it was seen, and is confirmed. */
export const isWithoutPlaceConfirmed = (payments: readonly Payment[], price: DecimalText, received: Amount): boolean =>
  isDust(price, received) ||
  payments.filter(isLive).length >= MOST_PAYMENTS + KEPT_FOR_CONFIRMED ||
  payments.length >= MOST_KNOWN_PAYMENTS;

/** A payment that finds none is real money: it is told, and kept so that it can be taken in. */
export const withoutPlace = (
  whose: 'deposit' | 'transaction',
  payments: readonly Payment[],
  price: DecimalText,
  unplaced: Unplaced,
) => ({
  outcome: 'ignored' as const,
  reason: `the ${whose} has ${payments.length} payments: operators have to look at this one`,
  alerts: ['payment_without_place' as const],
  ...(!isDust(price, amount(unplaced.payment.amount)) && { unplaced }),
});

/** With fewer none was ever without. */
export const isCrowded = (payments: readonly Payment[]): boolean => payments.length >= MOST_PAYMENTS - KEPT_PLACES;

/** Whether there is no place for one more, of a price of so much. One that is gone has given its place back. */
export const isWithoutPlace = (payments: readonly Payment[], price: DecimalText, received: Amount): boolean => {
  const share = leastShare(payments.filter(isLive).length, payments.length);
  return share === undefined || received.lessThan(amount(price).times(share));
};
