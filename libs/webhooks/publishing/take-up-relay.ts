import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { type EventLog, type EventMark, lackForGood, lackOf } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { goBackTo, type TakenUp } from './go-back.ts';
import { mayBeOfAnotherLog, type RelayPlace, readRelay } from './position.ts';

type Log = Pick<EventLog, 'end' | 'misses'>;

type Parts = { readonly log: Log; readonly pool: pg.Pool };

/** Written with it. */
export type Alongside = (db: Queryable, moved: TakenUp) => Promise<void>;

const MARKS = 'SELECT event FROM webhook_relay_marks ORDER BY position';

/**
 * The newest event of those kept that this log holds too; undefined: none, and it is another log from its beginning. Two
 * logs are one up to a place and nowhere behind it, so of the many marks of a month few have to be asked for.
 */
const lastInBoth = async (log: Log, db: Queryable): Promise<EventMark | undefined> => {
  const { rows } = await db.query<{ event: EventMark }>(MARKS);
  let last: EventMark | undefined;
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const event = rows[middle]?.event;
    if (event && (await lackOf(log, { position: event.position, last: event })) === undefined)
      [last, from] = [event, middle + 1];
    else to = middle;
  }
  return last;
};

/** What was found is of the relay as it stood: where it has moved since nothing is written, and nothing is the answer. */
const goOnBehind = (
  pool: pg.Pool,
  standing: RelayPlace,
  mark: EventMark | undefined,
  alongside: Alongside,
): Promise<TakenUp | undefined> =>
  inTransaction(pool, async (db) => {
    if (!isDeepStrictEqual(await readRelay(db, 'FOR UPDATE'), standing)) return undefined;
    const moved = await goBackTo(db, mark);
    // Of events that this log does not hold.
    await db.query('DELETE FROM webhook_relay_marks WHERE position > $1', [mark?.position ?? '']);
    await alongside(db, moved);
    return moved;
  });

/**
 * Lets the relay go on in a log that was put back, behind the newest event that was carried and that the log still holds:
 * nothing that was written behind it is left out, and what is carried twice has the ids of before. Undefined where the log
 * holds all that was carried. The log is asked before the transaction begins, which the server would end while an answer
 * is waited for.
 */
export const takeUpRelay = async ({ log, pool }: Parts, alongside: Alongside): Promise<TakenUp | undefined> => {
  for (;;) {
    const standing = await readRelay(pool);
    if (!mayBeOfAnotherLog(standing) && (await lackForGood(log, standing)) === undefined) return undefined;
    const mark = await lastInBoth(log, pool);
    const moved = await goOnBehind(pool, standing, mark, alongside);
    if (moved) return moved;
  }
};
