import type pg from 'pg';
import { type EventLog, type EventMark, lackForGood, lackOf, type Position } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { DEPOSIT_EVENTS } from './message.ts';
import { mayBeOfAnotherLog, readRelay } from './position.ts';

type Log = Pick<EventLog, 'end' | 'misses'>;

export type TakenUp = { readonly from: Position | null; readonly to: Position | null };

const MARKS = 'SELECT event FROM webhook_relay_marks ORDER BY position DESC';

/** The newest event of those kept that this log holds too; undefined: none, and it is another log from its beginning. */
const lastInBoth = async (log: Log, db: Queryable): Promise<EventMark | undefined> => {
  const { rows } = await db.query<{ event: EventMark }>(MARKS);
  for (const { event } of rows)
    if ((await lackOf(log, { position: event.position, last: event })) === undefined) return event;
  return undefined;
};

/**
 * Lets the relay go on in a log that was put back, behind the newest event that was carried and that the log still holds:
 * nothing that was written behind it is left out, and what is carried twice has the ids of before. Undefined where the log
 * holds all that was carried. `alongside` is written with it.
 */
export const takeUpRelay = (
  { log, pool }: { readonly log: Log; readonly pool: pg.Pool },
  alongside: (db: Queryable, moved: TakenUp) => Promise<void>,
): Promise<TakenUp | undefined> =>
  inTransaction(pool, async (db) => {
    await db.query('SELECT FROM webhook_relay WHERE name = $1 FOR UPDATE', [DEPOSIT_EVENTS]);
    const standing = await readRelay(db);
    if (!mayBeOfAnotherLog(standing) && (await lackForGood(log, standing)) === undefined) return undefined;
    const mark = await lastInBoth(log, db);
    await db.query(
      `UPDATE webhook_relay SET position = $2, last_event = $3, stopped_because = NULL, stopped_at = NULL
       WHERE name = $1`,
      [DEPOSIT_EVENTS, mark?.position ?? null, mark ? JSON.stringify(mark) : null],
    );
    await db.query('DELETE FROM webhook_relay_marks WHERE position > $1', [mark?.position ?? '']);
    const moved = { from: standing.position ?? null, to: mark?.position ?? null };
    await alongside(db, moved);
    return moved;
  });
