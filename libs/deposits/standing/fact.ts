import { changesBetween } from '../floor/changes.ts';
import type { Alert, DepositRef } from '../floor/events.ts';
import { type Deposit, stand } from '../floor/state.ts';
import type { Instant } from '../floor/time.ts';
import { isAcceptable } from './acceptable.ts';

export const refOf = ({ terms: { depositId, entityId, currency, test } }: Deposit): DepositRef => ({
  depositId,
  entityId,
  currency,
  test,
});

/** The common part of every fact: of which deposit it is, when it was, what it changed, whom to tell. */
export const factOf = (before: Deposit, after: Deposit, at: Instant, ...alerts: readonly (Alert | false)[]) => ({
  deposit: refOf(after),
  at,
  changes: changesBetween(before, stand(after, { acceptable: isAcceptable(after) })),
  alerts: alerts.filter((alert) => alert !== false),
});
