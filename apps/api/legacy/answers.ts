import { answersTo, appliedOr } from '#door/answers';
import { authenticationErrors, commandErrors, legacyErrors } from '#door/errors';
import type { CancelTransactionOutcome, CreateTransactionOutcome } from '#legacy-commands';
import type { AccessToken, Refreshed, TokenAuthentication, TokenRefusal } from '#partners';
import { noteOfRequest } from '#platform/logging';

const tokenRefused = answersTo<TokenRefusal>({
  invalid_token: legacyErrors.invalidToken,
  affiliate_disabled: authenticationErrors.affiliateDisabled,
  affiliate_archived: authenticationErrors.affiliateArchived,
});

export const callerIn = (known: TokenAuthentication): AccessToken => {
  if (known.outcome === 'refused') throw tokenRefused(known.refusal);
  const { id, affiliateId: affiliate } = known.token;
  noteOfRequest({ caller: `access token ${id}`, affiliate });
  return known.token;
};

export const refreshed = appliedOr<Refreshed>({ refused: ({ refusal }) => tokenRefused(refusal) });

const notCreated = answersTo<Extract<CreateTransactionOutcome, { readonly outcome: 'refused' }>['refusal']>({
  no_rate: ({ currency }) => legacyErrors.noRate(currency),
  no_address: ({ currency }) => legacyErrors.noAddress(currency),
  amount_out_of_range: () => legacyErrors.wrongItem('amount'),
});

export const created = appliedOr<CreateTransactionOutcome>({ refused: ({ refusal }) => notCreated(refusal) });

export const cancelled = appliedOr<CancelTransactionOutcome>({
  not_found: legacyErrors.notFound,
  busy: commandErrors.tooManyCalls,
  refused: ({ refusal }) => legacyErrors.tooLateToCancel(refusal.status),
});
