import { changesBetween } from './changes.ts';
import { isAcceptable } from './decision/acceptable.ts';
import type { Alert } from './events.ts';
import { type Deposit, stand } from './state.ts';
import type { Instant } from './time.ts';

/** The common part of every fact: when it was, what it changed, whom to tell. */
export const factOf = (before: Deposit, after: Deposit, at: Instant, ...alerts: readonly (Alert | false)[]) => ({
  at,
  changes: changesBetween(before, stand(after, { acceptable: isAcceptable(after) })),
  alerts: alerts.filter((alert) => alert !== false),
});
