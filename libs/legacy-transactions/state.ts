import type { Instant, Payment, PaymentKey, SignalIds } from '#deposits/floor';
import type { DecimalText, LegacyCurrency } from '#money';

export const transactionStatuses = ['Started', 'Timedout', 'Cancelled', 'Pending', 'Confirmed', 'Succeeded'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** As what a transaction waits, or has stopped waiting, while no money is there. */
export type UnpaidStatus = Extract<TransactionStatus, 'Started' | 'Timedout' | 'Cancelled'>;

/** What an operator has to look at. */
export const transactionFlags = [
  'late_payment',
  'payment_after_success',
  'payment_lost_after_success',
  'confirmation_reorged',
] as const;
export type TransactionFlag = (typeof transactionFlags)[number];

/** What was agreed when the transaction was started. */
export type TransactionTerms = {
  readonly transactionId: number;
  readonly affiliateId: number;
  readonly currency: LegacyCurrency;
  readonly usdAmount: DecimalText;
  readonly marketRate: DecimalText;
  /** The price, rounded up to 8 decimals; no fees. */
  readonly cryptoAmount: DecimalText;
  readonly label: string;
  readonly wallet: string;
  readonly startedAt: Instant;
  readonly timesOutAt: Instant;
};

/** What follows from the facts; each of them carries the fields that it changed. */
export type TransactionStanding = {
  readonly status: TransactionStatus;
  /** The sum of the payments that are there, once one is confirmed of those that are; null while there is none. */
  readonly confirmedCrypto: DecimalText | null;
  readonly flags: readonly TransactionFlag[];
};

export type LegacyTransaction = {
  readonly stage: 'started';
  readonly terms: TransactionTerms;
  readonly standing: TransactionStanding;
  /** What it is again when all payments are gone. */
  readonly unpaid: UnpaidStatus;
  readonly payments: readonly Payment[];
  /** The payments of which its success told, by key: those that were confirmed, and in older events those seen as well. */
  readonly succeededWith: readonly PaymentKey[];
  readonly settlementBatchId: string | null;
  /** Of the signals that changed it. */
  readonly signalIds: SignalIds;
};

export type TransactionState = { readonly stage: 'none' } | LegacyTransaction;

export const initialTransaction: TransactionState = { stage: 'none' };

export const openingTransactionStanding: TransactionStanding = { status: 'Started', confirmedCrypto: null, flags: [] };
