import type { Instant, Payment, PaymentRef } from '#deposits/floor';
import type { LegacyCurrency } from '#money';
import type { TransactionStanding, TransactionTerms } from './state.ts';

type Event<Type extends string, Data> = { readonly type: Type; readonly data: Data };

export type TransactionRef = {
  readonly transactionId: number;
  readonly affiliateId: number;
  readonly currency: LegacyCurrency;
};

/** Every fact carries what it changed, so that reading a history never decides again. */
type Fact = {
  readonly transaction: TransactionRef;
  readonly at: Instant;
  readonly changes: Partial<TransactionStanding>;
};
type FromSignal = Fact & { readonly signalId: string };

export type TransactionStarted = Event<'LegacyTransactionStarted', { readonly terms: TransactionTerms }>;

export type TransactionFact =
  | Event<'LegacyPaymentSeen', FromSignal & { readonly payment: Payment }>
  | Event<
      'LegacyPaymentConfirmed',
      FromSignal &
        PaymentRef & {
          readonly confirmations: number;
          readonly blockHash: string | null;
          readonly blockHeight: number | null;
        }
    >
  | Event<'LegacyPaymentDropped', FromSignal & PaymentRef>
  | Event<'LegacyPaymentDoubleSpent', FromSignal & PaymentRef & { readonly replacedBy: string }>
  | Event<'LegacyPaymentReorged', FromSignal & PaymentRef>
  | Event<'LegacyTransactionTimedOut', FromSignal>
  | Event<'LegacyTransactionCancelled', Fact>
  /** `note`: of the operator who settled it; null where the money covers the price. */
  | Event<'LegacyTransactionSucceeded', Fact & { readonly note: string | null }>
  | Event<'LegacySettlementIncluded', FromSignal & { readonly batchId: string }>;

export type TransactionEvent = TransactionStarted | TransactionFact;

/** The newest shape of each event's data; a new one is a new version here, with an upcaster beside its type. */
export const transactionEventVersions = {
  LegacyTransactionStarted: 1,
  LegacyPaymentSeen: 1,
  LegacyPaymentConfirmed: 1,
  LegacyPaymentDropped: 1,
  LegacyPaymentDoubleSpent: 1,
  LegacyPaymentReorged: 1,
  LegacyTransactionTimedOut: 1,
  LegacyTransactionCancelled: 1,
  LegacyTransactionSucceeded: 1,
  LegacySettlementIncluded: 1,
} as const satisfies Record<TransactionEvent['type'], number>;
