import type { DecimalText } from '#money';
import type { CurrentRate } from './amounts.ts';
import type { Echoed } from './echoed.ts';
import type { AmountLimits, FeeSetting, InstantCaps } from './settings.ts';
import type { EngineSignal } from './signals.ts';
import type { Terms } from './state.ts';
import type { Instant } from './time.ts';
import type { ReviewedStatus, ReviewResult, ScreeningAlarm, WithholdingReason } from './words.ts';

/** The revision up to which the history was looked at: refused where what it is about came up after it. null: whenever. */
type Seen = { readonly seen: number | null };

/** A release of what was looked at: refused where something else stands now. null: of whatever stands. */
type Naming<Reason> = Seen & { readonly named: readonly Reason[] | null };

type Command<Type extends string> = { readonly type: Type; readonly now: Instant };

/** The terms that the caller brings; the rest of them is decided from these. */
export type AskedTerms = Echoed &
  Pick<
    Terms,
    | 'depositId'
    | 'transactionId'
    | 'affiliateId'
    | 'entityId'
    | 'gamblerRef'
    | 'contactRef'
    | 'currency'
    | 'amountIsCrypto'
    | 'noConf'
    | 'instant'
  >;

export type IssueQuote = Command<'IssueQuote'> &
  AskedTerms & {
    readonly amount: DecimalText;
    /** Made through a test key or a test casino. */
    readonly test: boolean;
    readonly noConfAllowed: boolean;
    readonly instantAllowed: boolean;
    readonly instantCaps: InstantCaps;
    readonly amountLimits: AmountLimits;
    /** The player has an accepted deposit at this casino that reached a confirmed status. */
    readonly returningPlayer: boolean;
    readonly currencyEnabled: boolean;
    readonly currencyEnabledForAffiliate: boolean;
    readonly marketRate: CurrentRate;
    /** null: not configured. */
    readonly fees: readonly FeeSetting[] | null;
    readonly ofacDeadlineSeconds: number;
  };

export type AssignAddress = Command<'AssignAddress'> & { readonly address: string };

export type AcceptDeposit = Command<'AcceptDeposit'> & {
  readonly adjustToReceived: boolean;
  /** Looked at for late deposits alone. */
  readonly currentRate: CurrentRate;
};

export type ReturnDeposit = Command<'ReturnDeposit'> & {
  readonly returnId: number;
  /** null when the request had no body: the gates are checked all the same, and nothing is recorded. */
  readonly returnAddress: string | null;
  readonly reason: string | null;
};

export type FreezeDeposit = Command<'FreezeDeposit'>;

export type ReviewKyt = Command<'ReviewKyt'> &
  Seen & {
    readonly result: ReviewResult;
    readonly note: string | null;
    /** Where KYT stood when it was looked at: refused where it stands otherwise now. null: wherever it stands. */
    readonly named: ReviewedStatus | null;
  };

export type ReleaseReturn = Command<'ReleaseReturn'> & Naming<ScreeningAlarm>;

/** A word names every reason of its kind, also those of payments. */
export type ReleaseSettlement = Command<'ReleaseSettlement'> &
  Naming<WithholdingReason> & { readonly note: string | null };

export type PartnerCommand = AcceptDeposit | ReturnDeposit | FreezeDeposit;
export type OperatorCommand = ReviewKyt | ReleaseReturn | ReleaseSettlement;
export type DepositCommand = IssueQuote | AssignAddress | PartnerCommand | OperatorCommand | EngineSignal;
