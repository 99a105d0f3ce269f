import { shown } from './shown-error.ts';

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
  kycUnavailable: () => shown(503, 'Identity verification service unavailable'),
  instantNotEnabled: () =>
    shown(
      403,
      'Entity is not enabled for instant (pre-KYT) deposits, requiring both instant_allowed and no_conf_allowed',
    ),
  noConfNotEnabled: () => shown(403, 'Entity is not enabled for no-conf deposits (entity.no_conf_allowed)'),
  currencyOff: (currency: string) => shown(400, `${currency} is not enabled`),
  currencyOffForAffiliate: (currency: string) => shown(400, `${currency} is not enabled for this affiliate`),
  noRate: (currency: string) => shown(502, `Unable to fetch ${currency} rate`),
  feesNotConfigured: () => shown(500, 'Entity fee schedule is not configured for this entity; contact the operator'),
  feesInvalid: () => shown(500, 'Entity fee configuration is invalid; contact the operator'),
  instantOverCap: ({ requestedUsd, maxUsd, tier }: OverCap) =>
    shown(
      400,
      `Instant deposits are capped at ${maxUsd} USD for this player, requested ${requestedUsd} USD; create the deposit without instant`,
      { code: 'instant_over_cap', requested_usd: requestedUsd, instant_max_usd: maxUsd, instant_tier: tier },
    ),
  fastNotSerialized: () => shown(503, 'Could not serialize fast deposit creation, try again'),
  fastUnconfirmed: ({ depositId, status, kind, paid }: BlockedBy) =>
    shown(
      409,
      paid
        ? `The player's earlier ${kind} deposit has not reached its first confirmation`
        : `The player has an open unpaid fast quote (${kind})`,
      { code: 'fast_deposit_unconfirmed', blocking_deposit_id: depositId, blocking_status: status },
    ),
  keyOfAnotherBody: () => shown(422, 'This Idempotency-Key was used with another request body'),
  failed: () => shown(500, 'Failed to create casino deposit'),
} as const;
