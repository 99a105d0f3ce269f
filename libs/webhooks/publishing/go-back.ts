import type { EventMark, Position } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { DEPOSIT_EVENTS } from './message.ts';
import { readRelay } from './position.ts';

export type TakenUp = { readonly from: Position | null; readonly to: Position | null };

const BEFORE = `
  SELECT event FROM webhook_relay_marks WHERE kept_at <= $1 AND position <= $2 ORDER BY position DESC`;

/** The events that were known to be carried by a moment, none further on than a place; the newest first. */
export const marksBefore = async (
  db: Queryable,
  moment: Date | 'infinity',
  place: Position | undefined,
): Promise<readonly EventMark[]> =>
  (await db.query<{ event: EventMark }>(BEFORE, [moment, place ?? ''])).rows.map(({ event }) => event);

/**
 * Has the relay go on behind that event, or from the beginning; never further on than it stands, which would leave out what
 * is between. In a transaction, of whoever may have one that has stopped go on: it does.
 */
export const goBackTo = async (db: Queryable, mark: EventMark | undefined): Promise<TakenUp> => {
  const { position: from = null, last } = await readRelay(db, 'FOR UPDATE');
  const isFurther = mark !== undefined && (from === null || mark.position > from);
  const [to, event] = isFurther ? [from, last] : [mark?.position ?? null, mark];
  await db.query(
    `UPDATE webhook_relay SET position = $2, last_event = $3, behind_last = $4,
       carried_to = greatest(carried_to, last_event ->> 'position'), stopped_because = NULL, stopped_at = NULL
     WHERE name = $1`,
    [DEPOSIT_EVENTS, to, event ? JSON.stringify(event) : null, to !== null && to === event?.position],
  );
  return { from, to };
};
