import { changesBetween } from '../floor/changes.ts';
import type { Alert, DepositRef } from '../floor/events.ts';
import { type Deposit, type Standing, stand } from '../floor/state.ts';
import type { Instant } from '../floor/time.ts';
import { isAcceptable } from './acceptable.ts';
import { unfundedOf } from './unfunded.ts';
import { withheldOf } from './withheld.ts';

export const refOf = ({ terms: { depositId, entityId, currency, test } }: Deposit): DepositRef => ({
  depositId,
  entityId,
  currency,
  test,
});

const isWithheld = ({ settlementWithheld: withheld }: Standing): boolean =>
  withheld !== null && withheld !== 'released';

/** The common part of every fact: of which deposit it is, when it was, what it changed, whom to tell. */
export const factOf = (before: Deposit, after: Deposit, at: Instant, ...alerts: readonly (Alert | false)[]) => {
  const following = stand(after, {
    acceptable: isAcceptable(after),
    settlementWithheld: withheldOf(after),
    returnUnfundedBecause: unfundedOf(after),
  });
  const tooLate = after.settlementBatchId !== null && !isWithheld(before.standing) && isWithheld(following.standing);
  return {
    deposit: refOf(after),
    at,
    changes: changesBetween(before, following),
    alerts: [...alerts, tooLate && ('withheld_after_settlement' as const)].filter((alert) => alert !== false),
  };
};
