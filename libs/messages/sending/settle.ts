import { growingPause } from '#platform/pause';
import type { Queryable } from '#platform/postgres';
import { together } from '#platform/together';
import type { Claimed } from './claim.ts';

const pauseAfter = growingPause({ firstMs: 5_000, mostMs: 3_600_000, factor: 3, scatter: 0.2 });

// Both name the attempt: one that outlived its lease has nothing to say any more. Several are locked in the order in which
// an erasure locks them.
const SENT = `
  WITH held AS (
    SELECT m.id FROM outgoing_messages m
    JOIN unnest($1::uuid[], $2::int[]) AS sent (id, attempt) ON m.id = sent.id AND m.attempts = sent.attempt
    ORDER BY m.id FOR UPDATE OF m
  )
  UPDATE outgoing_messages m SET state = 'sent', error = NULL FROM held WHERE m.id = held.id`;
const NOT_SENT = `
  UPDATE outgoing_messages SET state = $3, error = $4, next_attempt_at = clock_timestamp() + make_interval(secs => $5)
  WHERE id = $1 AND attempts = $2 AND state = 'queued'`;

/** Those that are sent at the same time share a statement. */
export const createSettleSent = (db: Queryable) =>
  together<Claimed, undefined>(async (sent) => {
    const values = [sent.map(({ message }) => message.id), sent.map(({ attempt }) => attempt)];
    await db.query({ name: 'messages_sent', text: SENT, values });
    return sent.map(() => undefined);
  });

export type NotSent = { readonly reason: string; readonly last: boolean };

/** Due again after a pause, or after the last attempt kept as failed. */
export const settleNotSent = async (
  db: Queryable,
  { message, attempt }: Claimed,
  { reason, last }: NotSent,
): Promise<void> => {
  const state = last ? 'failed' : 'queued';
  await db.query({
    name: 'message_not_sent',
    text: NOT_SENT,
    values: [message.id, attempt, state, reason, pauseAfter(attempt - 1) / 1_000],
  });
};
