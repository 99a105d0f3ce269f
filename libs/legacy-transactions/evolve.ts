import {
  findPayment,
  isConfirmed,
  isLive,
  keyOf,
  noSignalIds,
  type Payment,
  type PaymentKey,
  type PaymentRef,
  putPayment,
  replaced,
  withSignalId,
} from '#deposits/floor';
import { amount } from '#money';
import type { TransactionEvent, TransactionFact } from './events.ts';
import { totalOf } from './standing.ts';
import {
  type LegacyTransaction,
  openingTransactionStanding,
  type TransactionStanding,
  type TransactionState,
  type TransactionStatus,
  type UnpaidStatus,
} from './state.ts';

const changed = (
  payments: readonly Payment[],
  ref: PaymentRef,
  change: (known: Payment) => Payment,
): readonly Payment[] => {
  const known = findPayment(payments, ref);
  return known ? putPayment(payments, change(known)) : payments;
};

const moved = (payments: readonly Payment[], ref: PaymentRef, state: Payment['state'], reorged: boolean) =>
  changed(payments, ref, (known) => ({ ...known, state, reorged }));

/** The payments after a fact. */
export const paymentsAfter = (payments: readonly Payment[], { type, data }: TransactionFact): readonly Payment[] => {
  switch (type) {
    case 'LegacyPaymentSeen':
      return putPayment(payments, data.payment);
    case 'LegacyPaymentConfirmed':
      return moved(payments, data, 'confirmed', false);
    case 'LegacyPaymentDropped':
      return moved(payments, data, 'dropped', false);
    case 'LegacyPaymentDoubleSpent':
      return changed(payments, data, (known) => replaced(known, data.replacedBy));
    case 'LegacyPaymentReorged':
      return moved(payments, data, 'unconfirmed', true);
    case 'LegacyTransactionTimedOut':
    case 'LegacyTransactionCancelled':
    case 'LegacyTransactionSucceeded':
    case 'LegacySettlementIncluded':
      return payments;
  }
};

const isUnpaid = (status: TransactionStatus | undefined): status is UnpaidStatus =>
  status === 'Started' || status === 'Timedout' || status === 'Cancelled';

/** What a success was told of: where that is more than was confirmed, an older release told of all that was there. */
const toldOf = (payments: readonly Payment[], { confirmedCrypto }: TransactionStanding): readonly PaymentKey[] => {
  const confirmed = payments.filter(isConfirmed);
  const isMore = amount(confirmedCrypto ?? '0').greaterThan(totalOf(confirmed));
  return (isMore ? payments.filter(isLive) : confirmed).map(keyOf);
};

const afterFact = (transaction: LegacyTransaction, event: TransactionFact): LegacyTransaction => {
  const { changes } = event.data;
  const { signalIds } = transaction;
  const payments = paymentsAfter(transaction.payments, event);
  const standing = { ...transaction.standing, ...changes };
  return {
    ...transaction,
    payments,
    standing,
    unpaid: isUnpaid(changes.status) ? changes.status : transaction.unpaid,
    succeededWith: changes.status === 'Succeeded' ? toldOf(payments, standing) : transaction.succeededWith,
    settlementBatchId: event.type === 'LegacySettlementIncluded' ? event.data.batchId : transaction.settlementBatchId,
    signalIds: 'signalId' in event.data ? withSignalId(signalIds, event.data.signalId) : signalIds,
  };
};

/** Folds one event; reading a history never fails and never decides. */
export const evolveTransaction = (state: TransactionState, event: TransactionEvent): TransactionState => {
  if (event.type !== 'LegacyTransactionStarted') return state.stage === 'none' ? state : afterFact(state, event);
  return {
    stage: 'started',
    terms: event.data.terms,
    standing: openingTransactionStanding,
    unpaid: 'Started',
    payments: [],
    succeededWith: [],
    settlementBatchId: null,
    signalIds: noSignalIds,
  };
};
