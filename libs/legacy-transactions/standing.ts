import { type Instant, isAfter, isConfirmed, isLive, type Payment } from '#deposits/floor';
import { type Amount, amount, type DecimalText, sum, toText } from '#money';
import type { TransactionRef } from './events.ts';
import type {
  LegacyTransaction,
  TransactionFlag,
  TransactionStanding,
  TransactionStatus,
  UnpaidStatus,
} from './state.ts';

export const stand = (transaction: LegacyTransaction, changes: Partial<TransactionStanding>): LegacyTransaction => ({
  ...transaction,
  standing: { ...transaction.standing, ...changes },
});

export const totalOf = (payments: readonly Payment[]): Amount => sum(payments.map((payment) => amount(payment.amount)));

const statusOf = (live: readonly Payment[], unpaid: UnpaidStatus): TransactionStatus => {
  if (live.length === 0) return unpaid;
  return live.some(isConfirmed) ? 'Confirmed' : 'Pending';
};

/** Money that came when nobody waited any more, whatever came in time: one unit would keep the price for ever. */
const isLate = ({ terms, unpaid }: LegacyTransaction, live: readonly Payment[]): boolean =>
  live.length > 0 && (unpaid !== 'Started' || live.some(({ firstSeenAt }) => isAfter(firstSeenAt, terms.timesOutAt)));

const flagged = (flags: readonly TransactionFlag[], flag: TransactionFlag, wanted: boolean) => {
  if (flags.includes(flag) === wanted) return flags;
  return wanted ? [...flags, flag] : flags.filter((each) => each !== flag);
};

export const withFlag = (transaction: LegacyTransaction, flag: TransactionFlag): LegacyTransaction =>
  stand(transaction, { flags: flagged(transaction.standing.flags, flag, true) });

/** Brings the standing in line with the payments, but for one that is completed: that stays so. */
export const recount = (transaction: LegacyTransaction, at: Instant): LegacyTransaction => {
  if (transaction.standing.status === 'Succeeded') return transaction;
  const live = transaction.payments.filter(isLive);
  const over = transaction.unpaid === 'Started' && isAfter(at, transaction.terms.timesOutAt);
  const status = statusOf(live, over ? 'Timedout' : transaction.unpaid);
  // What is told as confirmed is so: the rest may still be replaced, and nobody would hear of that.
  const counted = status === 'Confirmed' ? live.filter(isConfirmed) : live;
  return stand(transaction, {
    status,
    confirmedCrypto: counted.length > 0 ? toText(totalOf(counted)) : null,
    flags: flagged(transaction.standing.flags, 'late_payment', isLate(transaction, live)),
  });
};

const confirmedOf = ({ payments }: LegacyTransaction): Amount => totalOf(payments.filter(isConfirmed));

/** "Received covers the price", as far as it is confirmed. */
export const isCovered = (transaction: LegacyTransaction): boolean =>
  confirmedOf(transaction).greaterThanOrEqualTo(amount(transaction.terms.cryptoAmount));

/** What it would succeed with now. Of an older event its standing holds what was seen as well. */
export const amountNow = (transaction: LegacyTransaction): DecimalText | null =>
  transaction.standing.status === 'Confirmed' ? toText(confirmedOf(transaction)) : transaction.standing.confirmedCrypto;

/** For good, and with what is confirmed: what may still be replaced is nothing that a partner credits. */
export const succeeded = (transaction: LegacyTransaction): LegacyTransaction =>
  stand(transaction, { status: 'Succeeded', confirmedCrypto: toText(confirmedOf(transaction)) });

const refOf = ({ terms: { transactionId, affiliateId, currency } }: LegacyTransaction): TransactionRef => ({
  transactionId,
  affiliateId,
  currency,
});

const changesBetween = (
  { standing: before }: LegacyTransaction,
  { standing: after }: LegacyTransaction,
): Partial<TransactionStanding> => ({
  ...(before.status !== after.status && { status: after.status }),
  ...(before.confirmedCrypto !== after.confirmedCrypto && { confirmedCrypto: after.confirmedCrypto }),
  ...(before.flags !== after.flags && { flags: after.flags }),
});

/** The common part of every fact. */
export const factOf = (before: LegacyTransaction, after: LegacyTransaction, at: Instant) => ({
  transaction: refOf(after),
  at,
  changes: changesBetween(before, after),
});
