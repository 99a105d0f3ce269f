import type { Queryable } from '#platform/postgres';
import { createMemory } from '#platform/remembered';
import type { WebhookOf, WebhookTarget } from '../target.ts';
import { type Claimed, type ClaimOptions, claimDue } from './claim.ts';

/** A claimed delivery, with what it shares with those that were claimed with it. */
export type InHand = Claimed & {
  /** On the monotonic clock: when half of its lease is over. An attempt that starts by then ends before the lease. */
  readonly startBy: number;
  readonly webhookOf: WebhookOf;
};

/**
 * So long an endpoint's URL and secret, once read, serve the other deliveries that were claimed with the first. What is
 * claimed after a change is sent by the changed setting in any case.
 */
const TARGET_MS = 100;

const MOST_ENTITIES = 100;

const rememberTargets = (webhookOf: WebhookOf): WebhookOf => {
  const memory = createMemory<WebhookTarget | undefined>({ ttlMs: TARGET_MS, max: MOST_ENTITIES });
  return (entityId) => memory.look(String(entityId), () => webhookOf(entityId));
};

/** Claims, and lets those that were claimed together share the look-up of where they go. */
export const claimRound = async (
  db: Queryable,
  webhookOf: WebhookOf,
  options: ClaimOptions,
): Promise<readonly InHand[]> => {
  // From before the question: the server's lease begins later than this.
  const startBy = performance.now() + options.leaseMs / 2;
  const claimed = await claimDue(db, options);
  const shared = { startBy, webhookOf: rememberTargets(webhookOf) };
  return claimed.map((delivery) => ({ ...delivery, ...shared }));
};
