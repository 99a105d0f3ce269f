import type { CreateOutcome, CreateRefusal, NotVerified } from '#deposit-commands';
import { answersTo, appliedOr } from '#door/answers';
import { createDepositErrors, schemaMismatch, scopeErrors } from '#door/errors';
import { type DecimalText, wireNumberOf } from '#money';

const amountIssue = (message: string) => schemaMismatch([{ path: ['amount'], message }]);

const inUsd = ({ requestedUsd, limitUsd }: { readonly requestedUsd: DecimalText; readonly limitUsd: DecimalText }) => ({
  requestedUsd: wireNumberOf(requestedUsd),
  limitUsd: wireNumberOf(limitUsd),
});

const refused = answersTo<CreateRefusal>({
  key_of_another_body: createDepositErrors.keyOfAnotherBody,
  kyc_unavailable: createDepositErrors.kycUnavailable,
  casino_not_found: scopeErrors.entityNotFound,
  amount_rounds_to_zero: () => amountIssue('must be greater than 0 at 8 decimals'),
  amount_out_of_range: () => amountIssue('must give a price whose coins can be counted: at most 90071992.54740991'),
  instant_not_enabled: createDepositErrors.instantNotEnabled,
  no_conf_not_enabled: createDepositErrors.noConfNotEnabled,
  currency_not_enabled: ({ currency }) => createDepositErrors.currencyOff(currency),
  currency_not_enabled_for_affiliate: ({ currency }) => createDepositErrors.currencyOffForAffiliate(currency),
  rate_unavailable: ({ currency }) => createDepositErrors.noRate(currency),
  fees_not_configured: createDepositErrors.feesNotConfigured,
  fees_invalid: createDepositErrors.feesInvalid,
  amount_under_min: (refusal) => createDepositErrors.amountUnderMin(inUsd(refusal)),
  amount_over_max: (refusal) => createDepositErrors.amountOverMax(inUsd(refusal)),
  instant_over_cap: ({ requestedUsd, instantMaxUsd, instantTier }) =>
    createDepositErrors.instantOverCap({
      requestedUsd: wireNumberOf(requestedUsd),
      maxUsd: wireNumberOf(instantMaxUsd),
      tier: instantTier,
    }),
  fast_deposit_unconfirmed: ({ blockingDepositId, blockingStatus, kind, paid }) =>
    createDepositErrors.fastUnconfirmed({ depositId: blockingDepositId, status: blockingStatus, kind, paid }),
  no_address: createDepositErrors.failed,
});

export const isNotVerified = (outcome: CreateOutcome): outcome is NotVerified =>
  outcome.outcome === 'kyc_required' || outcome.outcome === 'kyc_pending';

export const made = appliedOr<Exclude<CreateOutcome, NotVerified>>({
  refused: ({ refusal }) => refused(refusal),
  busy: createDepositErrors.fastNotSerialized,
});
