import { shown } from './shown-error.ts';

type OutsideLimits = { readonly requestedUsd: number; readonly limitUsd: number };

type OverCap = {
  readonly requestedUsd: number;
  readonly maxUsd: number;
  readonly tier: 'first' | 'returning';
};

type BlockedBy = {
  readonly depositId: number;
  readonly status: string;
  readonly kind: 'instant' | 'no-conf';
  readonly paid: boolean;
};

/** POST /casino/deposit_address, in the order of its checks. */
export const createDepositErrors = {
  kycUnavailable: () => shown(503, 'Identity verification service unavailable', { code: 'kyc_unavailable' }),
  instantNotEnabled: () =>
    shown(
      403,
      'Entity is not enabled for instant (pre-KYT) deposits, requiring both instant_allowed and no_conf_allowed',
      { code: 'instant_not_enabled' },
    ),
  noConfNotEnabled: () =>
    shown(403, 'Entity is not enabled for no-conf deposits (entity.no_conf_allowed)', { code: 'no_conf_not_enabled' }),
  currencyOff: (currency: string) => shown(400, `${currency} is not enabled`, { code: 'currency_not_enabled' }),
  currencyOffForAffiliate: (currency: string) =>
    shown(400, `${currency} is not enabled for this affiliate`, { code: 'currency_not_enabled_for_affiliate' }),
  noRate: (currency: string) => shown(502, `Unable to fetch ${currency} rate`, { code: 'rate_unavailable' }),
  feesNotConfigured: () =>
    shown(500, 'Entity fee schedule is not configured for this entity; contact the operator', {
      code: 'fees_not_configured',
    }),
  feesInvalid: () => shown(500, 'Entity fee configuration is invalid; contact the operator', { code: 'fees_invalid' }),
  amountUnderMin: ({ requestedUsd, limitUsd }: OutsideLimits) =>
    shown(400, `This casino takes deposits from ${limitUsd} USD on, requested ${requestedUsd} USD`, {
      code: 'amount_under_min',
      requested_usd: requestedUsd,
      min_usd: limitUsd,
    }),
  amountOverMax: ({ requestedUsd, limitUsd }: OutsideLimits) =>
    shown(400, `This casino takes deposits up to ${limitUsd} USD, requested ${requestedUsd} USD`, {
      code: 'amount_over_max',
      requested_usd: requestedUsd,
      max_usd: limitUsd,
    }),
  instantOverCap: ({ requestedUsd, maxUsd, tier }: OverCap) =>
    shown(
      400,
      `Instant deposits are capped at ${maxUsd} USD for this player, requested ${requestedUsd} USD; create the deposit without instant`,
      { code: 'instant_over_cap', requested_usd: requestedUsd, instant_max_usd: maxUsd, instant_tier: tier },
    ),
  fastNotSerialized: () =>
    shown(503, 'Could not serialize fast deposit creation, try again', { code: 'fast_deposit_not_serialized' }),
  fastUnconfirmed: ({ depositId, status, kind, paid }: BlockedBy) =>
    shown(
      409,
      paid
        ? `The player's earlier ${kind} deposit has not reached its first confirmation`
        : `The player has an open unpaid fast quote (${kind})`,
      { code: 'fast_deposit_unconfirmed', blocking_deposit_id: depositId, blocking_status: status },
    ),
  keyOfAnotherBody: () =>
    shown(422, 'This Idempotency-Key was used with another request body', { code: 'idempotency_key_of_another_body' }),
  failed: () => shown(500, 'Failed to create casino deposit'),
} as const;
