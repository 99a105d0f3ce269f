import type { Currency, DecimalText } from '#money';
import type { Amounts } from './amounts.ts';
import type { Changes } from './changes.ts';
import type { Payment, PaymentRef } from './payment.ts';
import type { Standing, Terms } from './state.ts';
import type { Instant } from './time.ts';
import type { KytResult, OfacAnswer, ReviewResult, Withholding } from './words.ts';

/** What operators have to be told of. */
export type Alert =
  | 'late_payment_not_counted'
  | 'payment_after_decision'
  | 'payment_beyond_supply'
  | 'confirmation_reorged'
  | 'double_spent_after_accept'
  | 'screening_alarm_after_decision'
  | 'return_held'
  | 'withheld_after_settlement'
  | 'refund_dropped';

type Event<Type extends string, Data> = { readonly type: Type; readonly data: Data };

/** Enough of the terms for whoever keeps totals: a single event says to which of them it belongs. */
export type DepositRef = {
  readonly depositId: number;
  readonly entityId: number;
  readonly currency: Currency;
  readonly test: boolean;
};

/** Every fact carries what it changed in the deposit's standing: folding never has to decide again. */
type Fact = {
  readonly deposit: DepositRef;
  readonly at: Instant;
  readonly changes: Changes;
  readonly alerts: readonly Alert[];
};
type FromSignal = Fact & { readonly signalId: string };

export type QuoteIssued = Event<
  'QuoteIssued',
  {
    readonly terms: Terms;
    readonly amounts: Amounts;
    /** Nothing is withheld from settlement, and nothing given back, before a decision. */
    readonly standing: Omit<Standing, 'settlementWithheld' | 'returnUnfundedBecause'>;
  }
>;
export type AddressAssigned = Event<
  'AddressAssigned',
  { readonly deposit: DepositRef; readonly at: Instant; readonly address: string }
>;

export type PaymentSeen = Event<
  'PaymentSeen',
  FromSignal & {
    readonly payment: Payment;
    readonly newFundingAddresses: readonly string[];
    /** Whether it counts as it is seen. */
    readonly counts: boolean;
  }
>;
export type PaymentConfirmed = Event<
  'PaymentConfirmed',
  FromSignal &
    PaymentRef & {
      readonly confirmations: number;
      readonly blockHash: string | null;
      readonly blockHeight: number | null;
    }
>;
export type PaymentDropped = Event<'PaymentDropped', FromSignal & PaymentRef>;
export type PaymentDoubleSpent = Event<'PaymentDoubleSpent', FromSignal & PaymentRef & { readonly replacedBy: string }>;
export type PaymentReorged = Event<'PaymentReorged', FromSignal & PaymentRef>;
export type QuoteExpired = Event<'QuoteExpired', FromSignal>;

export type GuardsCompleted = Event<
  'GuardsCompleted',
  FromSignal & { readonly passed: boolean; readonly reason: string | null }
>;
export type KytCompleted = Event<
  'KytCompleted',
  FromSignal & {
    readonly status: KytResult;
    readonly riskScore: DecimalText | null;
    /** The transaction that it is a review of since nobody can name its senders; left out of every other answer. */
    readonly unknownSendersOf?: string;
  }
>;
export type KytReviewed = Event<'KytReviewed', Fact & { readonly result: ReviewResult; readonly note: string | null }>;
export type OfacCompleted = Event<
  'OfacCompleted',
  FromSignal & { readonly status: OfacAnswer; readonly address: string | null }
>;
export type OfacDeadlineMissed = Event<'OfacDeadlineMissed', FromSignal>;

export type DepositAccepted = Event<
  'DepositAccepted',
  Fact & {
    readonly adjusted: boolean;
    /** Final amounts, also when nothing was adjusted. */
    readonly amounts: Amounts;
    readonly confirmedCrypto: DecimalText;
  }
>;
export type DepositReturned = Event<
  'DepositReturned',
  Fact & {
    readonly returnId: number;
    readonly returnAddress: string;
    readonly reason: string | null;
    readonly cryptoAmount: DecimalText;
  }
>;
/** Through the freeze endpoint; a freeze by screening is in the changes of its result. */
export type DepositFrozen = Event<'DepositFrozen', Fact>;

export type ReturnReleased = Event<'ReturnReleased', Fact>;
export type RefundBroadcast = Event<
  'RefundBroadcast',
  FromSignal & { readonly returnId: number; readonly refundTxid: string }
>;
export type RefundDropped = Event<
  'RefundDropped',
  FromSignal & { readonly returnId: number; readonly refundTxid: string }
>;
export type SettlementIncluded = Event<'SettlementIncluded', FromSignal & { readonly batchId: string }>;

export type SettlementReleased = Event<
  'SettlementReleased',
  Fact & { readonly released: readonly Withholding[]; readonly note: string | null }
>;

export type FactEvent =
  | PaymentSeen
  | PaymentConfirmed
  | PaymentDropped
  | PaymentDoubleSpent
  | PaymentReorged
  | QuoteExpired
  | GuardsCompleted
  | KytCompleted
  | KytReviewed
  | OfacCompleted
  | OfacDeadlineMissed
  | DepositAccepted
  | DepositReturned
  | DepositFrozen
  | ReturnReleased
  | RefundBroadcast
  | RefundDropped
  | SettlementIncluded
  | SettlementReleased;

export type DepositEvent = QuoteIssued | AddressAssigned | FactEvent;

/**
 * The newest shape of each event's data: JSON alone, amounts as text. What is written never changes: a new shape is a
 * new version here, with an upcaster beside its type that makes it from the one before.
 */
export const depositEventVersions = {
  QuoteIssued: 1,
  AddressAssigned: 1,
  PaymentSeen: 1,
  PaymentConfirmed: 1,
  PaymentDropped: 1,
  PaymentDoubleSpent: 1,
  PaymentReorged: 1,
  QuoteExpired: 1,
  GuardsCompleted: 1,
  KytCompleted: 1,
  KytReviewed: 1,
  OfacCompleted: 1,
  OfacDeadlineMissed: 1,
  DepositAccepted: 1,
  DepositReturned: 1,
  DepositFrozen: 1,
  ReturnReleased: 1,
  RefundBroadcast: 1,
  RefundDropped: 1,
  SettlementIncluded: 1,
  SettlementReleased: 1,
} as const satisfies Record<DepositEvent['type'], number>;
