import type { IssueRefusal } from '#deposits';
import type { FastDepositUnconfirmed } from '#deposits/fast-lane';
import { amount, toWireNumber } from '#money';
import { createDepositErrors, schemaMismatch } from '#platform/errors';
import { showBy } from '../decide/shown.ts';

const amountIssue = (message: string) => schemaMismatch([{ path: ['amount'], message }]);

export const shownIssue = showBy<IssueRefusal>({
  // Ids come from a sequence: a deposit that is there already was not made by this call.
  already_issued: createDepositErrors.failed,
  amount_rounds_to_zero: () => amountIssue('must be greater than 0 at 8 decimals'),
  amount_out_of_range: () => amountIssue('must give a price that JSON numbers can carry'),
  instant_not_enabled: createDepositErrors.instantNotEnabled,
  no_conf_not_enabled: createDepositErrors.noConfNotEnabled,
  currency_not_enabled: ({ currency }) => createDepositErrors.currencyOff(currency),
  currency_not_enabled_for_affiliate: ({ currency }) => createDepositErrors.currencyOffForAffiliate(currency),
  rate_unavailable: ({ currency }) => createDepositErrors.noRate(currency),
  fees_not_configured: createDepositErrors.feesNotConfigured,
  fees_invalid: createDepositErrors.feesInvalid,
  instant_over_cap: ({ requestedUsd, instantMaxUsd, instantTier }) =>
    createDepositErrors.instantOverCap({
      requestedUsd: toWireNumber(amount(requestedUsd)),
      maxUsd: toWireNumber(amount(instantMaxUsd)),
      tier: instantTier,
    }),
});

export const shownBlocked = ({ blockingDepositId, blockingStatus, kind, paid }: FastDepositUnconfirmed) =>
  createDepositErrors.fastUnconfirmed({ depositId: blockingDepositId, status: blockingStatus, kind, paid });
