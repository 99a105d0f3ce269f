import type { Currency, DecimalText } from '#money';
import type { Amounts } from './amounts.ts';
import type { Since } from './came-up.ts';
import type { Echoed } from './echoed.ts';
import type { Payment, PaymentKey } from './payment.ts';
import type { SignalIds } from './signal-ids.ts';
import type { Instant } from './time.ts';
import type {
  Absence,
  DepositDecision,
  InstantTier,
  KytStatus,
  NoConfState,
  OfacStatus,
  PaymentStatus,
  ScreeningAlarm,
  Withholding,
  WithholdingReason,
} from './words.ts';

/** The queued return of a deposit, and the transactions that carried it. */
export type Refund = {
  readonly returnId: number;
  readonly returnAddress: string;
  readonly reason: string | null;
  readonly cryptoAmount: DecimalText;
  readonly progress: 'queued' | 'broadcast';
  readonly lastTxid: string | null;
  /** The alarms that an operator looked at and let the return go in spite of, as far as they still stand. */
  readonly released: readonly ScreeningAlarm[];
};

/** What was agreed when the quote was issued; none of it changes later. */
export type Terms = Echoed & {
  readonly depositId: number;
  readonly transactionId: number;
  readonly affiliateId: number;
  readonly entityId: number;
  readonly gamblerRef: string;
  /** A reference to the player's phone and e-mail, which never enter the log. */
  readonly contactRef: string | null;
  readonly currency: Currency;
  readonly amountIsCrypto: boolean;
  readonly noConf: boolean;
  readonly instant: boolean;
  readonly instantTier: InstantTier | null;
  readonly instantReceivedMaxUsd: DecimalText | null;
  readonly test: boolean;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
  readonly ofacDeadlineSeconds: number;
};

/**
 * Where the deposit stands: everything that follows from its facts. An event carries the fields that it changed, so
 * that what follows is decided once, when the fact comes in, and never again when it is read.
 */
export type Standing = {
  readonly status: PaymentStatus;
  /** The payments that count, by key; after a decision those that counted at it. */
  readonly counted: readonly PaymentKey[];
  readonly confirmedCrypto: DecimalText | null;
  readonly latePayment: boolean;
  /** Market value of what counts, for instant deposits; null when no rate could be had. */
  readonly receivedUsd: DecimalText | null;
  readonly noConfState: NoConfState | null;
  readonly doubleSpentAt: Instant | null;
  readonly doubleSpendTxid: string | null;
  readonly instantDowngraded: boolean;
  readonly kytStatus: KytStatus | null;
  readonly kytRiskScore: DecimalText | null;
  readonly kytCheckedAt: Instant | null;
  readonly ofacStatus: OfacStatus;
  readonly ofacDeadlineAt: Instant | null;
  readonly decision: DepositDecision;
  readonly decisionAt: Instant | null;
  readonly frozenBecause: 'partner' | ScreeningAlarm | null;
  readonly returnHeldBecause: ScreeningAlarm | null;
  /** Why the payments that a return gives back are not all there; null: each is confirmed, or nothing was returned. */
  readonly returnUnfundedBecause: Absence | null;
  /** Why settlement leaves it out, or that an operator let it in all the same. */
  readonly settlementWithheld: Withholding | 'released' | null;
  readonly acceptable: boolean;
};

export type Deposit = {
  readonly stage: 'issued';
  /** Of the last event, in its own history. */
  readonly revision: number;
  readonly since: Since;
  readonly terms: Terms;
  readonly quotedCrypto: DecimalText;
  /** As quoted; after an adjusted accept as re-priced. */
  readonly amounts: Amounts;
  readonly adjusted: boolean;
  readonly address: string | null;
  /** It was Timedout once: with nothing left it is so again, and never Pending. */
  readonly expired: boolean;
  readonly payments: readonly Payment[];
  readonly fundingAddresses: readonly string[];
  /** The transactions whose senders nobody can name and that no operator has looked at: he alone ends their review. */
  readonly unknownSendersOf: readonly string[];
  readonly standing: Standing;
  /** The payments that waited beside what counted at the decision, of which nothing was heard since. */
  readonly untold: readonly PaymentKey[];
  readonly refund: Refund | null;
  readonly settlementBatchId: string | null;
  /** What an operator looked at and let the deposit be settled in spite of, as far as it still stands. */
  readonly settlementReleased: readonly WithholdingReason[];
  /** Of the signals that changed it; what changed nothing is kept beside the deposit. */
  readonly signalIds: SignalIds;
};

export type NotIssued = { readonly stage: 'none' };

export type DepositState = NotIssued | Deposit;

export const initialState: DepositState = { stage: 'none' };

export const stand = (deposit: Deposit, changes: Partial<Standing>): Deposit => ({
  ...deposit,
  standing: { ...deposit.standing, ...changes },
});
