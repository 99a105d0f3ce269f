import type { CurrentRate } from './amounts.ts';
import type { Instant } from './time.ts';
import type { KytResult, OfacAnswer, SignalType } from './words.ts';

/** `at` is the time of the fact, `now` the service's clock: `at` is never compared with it. */
type Signal<Type extends SignalType> = {
  readonly type: Type;
  readonly signalId: string;
  readonly at: Instant;
  readonly now: Instant;
};

type AboutPayment = {
  readonly txid: string;
  readonly vout: number;
  /** Needed when an instant deposit is late: its received value is that of now. */
  readonly currentRate?: CurrentRate;
};

export type PaymentSeenSignal = Signal<'payment.seen'> &
  AboutPayment & {
    readonly amount: string;
    readonly fundingAddresses: readonly string[];
    readonly replaceable: boolean;
    /** Another fast deposit of the player is in flight: this one waits for its confirmation. */
    readonly behindAnother?: boolean;
  };
export type PaymentConfirmedSignal = Signal<'payment.confirmed'> &
  AboutPayment & {
    readonly confirmations: number;
    readonly blockHash: string | null;
    readonly blockHeight: number | null;
    /** As of a payment that is seen: it may be one that found no place then. */
    readonly behindAnother?: boolean;
  };
export type PaymentDroppedSignal = Signal<'payment.dropped'> & AboutPayment;
export type PaymentDoubleSpentSignal = Signal<'payment.double_spent'> & AboutPayment & { readonly replacedBy: string };
export type PaymentReorgedSignal = Signal<'payment.reorged'> & AboutPayment;
export type QuoteExpiredSignal = Signal<'quote.expired'>;
export type GuardsCompletedSignal = Signal<'guards.completed'> & {
  readonly passed: boolean;
  readonly reason: string | null;
};
export type KytCompletedSignal = Signal<'kyt.completed'> & {
  readonly status: KytResult;
  readonly riskScore: string | null;
  /** With review: the transaction whose senders nobody can name. */
  readonly unknownSendersOf?: string | null;
};
export type OfacCompletedSignal = Signal<'ofac.completed'> & {
  readonly status: OfacAnswer;
  readonly address: string | null;
};
export type OfacDeadlineMissedSignal = Signal<'ofac.deadline_missed'>;
export type RefundBroadcastSignal = Signal<'refund.broadcast'> & {
  readonly returnId: number;
  readonly refundTxid: string;
};
export type RefundDroppedSignal = Signal<'refund.dropped'> & { readonly returnId: number; readonly refundTxid: string };
export type SettlementIncludedSignal = Signal<'settlement.included'> & { readonly batchId: string };

export type EngineSignal =
  | PaymentSeenSignal
  | PaymentConfirmedSignal
  | PaymentDroppedSignal
  | PaymentDoubleSpentSignal
  | PaymentReorgedSignal
  | QuoteExpiredSignal
  | GuardsCompletedSignal
  | KytCompletedSignal
  | OfacCompletedSignal
  | OfacDeadlineMissedSignal
  | RefundBroadcastSignal
  | RefundDroppedSignal
  | SettlementIncludedSignal;
