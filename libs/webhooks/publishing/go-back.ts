import type { EventMark, Position } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { DEPOSIT_EVENTS } from './message.ts';
import { readRelay } from './position.ts';

export type TakenUp = { readonly from: Position | null; readonly to: Position | null };

const BEFORE = 'SELECT event FROM webhook_relay_marks WHERE kept_at <= $1 ORDER BY position DESC LIMIT 1';

/** The newest event that was known to be carried by a moment. */
export const markBefore = async (db: Queryable, moment: Date): Promise<EventMark | undefined> =>
  (await db.query<{ event: EventMark }>(BEFORE, [moment])).rows[0]?.event;

/**
 * Has the relay go on behind that event, or from the beginning; never further on than it stands, which would leave out what
 * is between. In a transaction.
 */
export const goBackTo = async (db: Queryable, mark: EventMark | undefined): Promise<TakenUp> => {
  const { position: from = null } = await readRelay(db, 'FOR UPDATE');
  const to = mark?.position ?? null;
  if (to !== null && (from === null || to > from)) return { from, to: from };
  await db.query(
    `UPDATE webhook_relay SET position = $2, last_event = $3, stopped_because = NULL, stopped_at = NULL WHERE name = $1`,
    [DEPOSIT_EVENTS, to, mark ? JSON.stringify(mark) : null],
  );
  return { from, to };
};
