import { growingPause } from '#platform/pause';
import type { Queryable } from '#platform/postgres';
import type { Claimed } from './claim.ts';

const pauseAfter = growingPause({ firstMs: 5_000, mostMs: 3_600_000, factor: 3, scatter: 0.2 });

// Both name the attempt: one that outlived its lease has nothing to say any more.
const SENT = `UPDATE outgoing_messages SET state = 'sent', error = NULL WHERE id = $1 AND attempts = $2`;
const NOT_SENT = `
  UPDATE outgoing_messages SET state = $3, error = $4, next_attempt_at = clock_timestamp() + make_interval(secs => $5)
  WHERE id = $1 AND attempts = $2 AND state = 'queued'`;

export const settleSent = async (db: Queryable, { message, attempt }: Claimed): Promise<void> => {
  await db.query({ name: 'message_sent', text: SENT, values: [message.id, attempt] });
};

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
