import { pruneInOrder, type Queryable } from '#platform/postgres';

const MESSAGES = {
  table: 'outgoing_messages',
  key: 'seq',
  at: 'created_at',
  remove: "DELETE FROM outgoing_messages WHERE seq = ANY($1::bigint[]) AND state <> 'queued'",
};

/** Whoever enqueued one keeps his own mark of it, and does not come again. */
export const pruneMessages = (db: Queryable, keepDays: number, signal?: AbortSignal): Promise<number> =>
  pruneInOrder(db, MESSAGES, keepDays, signal);
