import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { type EventLog, type EventMark, lackForGood } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { firstHeld } from './first-held.ts';
import { goBackTo, marksBefore, type TakenUp } from './go-back.ts';
import { type RelayPlace, readRelay } from './position.ts';

type Parts = { readonly log: Pick<EventLog, 'end' | 'misses'>; readonly pool: pg.Pool };

/** Written with it. */
export type Alongside = (db: Queryable, moved: TakenUp) => Promise<void>;

/** The newest event that was carried and that this log holds too; undefined: none, and it is another log from its beginning. */
const lastInBoth = async ({ log, pool }: Parts, { position, last }: RelayPlace): Promise<EventMark | undefined> => {
  const marks = await marksBefore(pool, 'infinity', position);
  return firstHeld(log, last && last.position !== marks[0]?.position ? [last, ...marks] : marks);
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
    // In this log nothing further was.
    await db.query('UPDATE webhook_relay SET carried_to = NULL');
    // Of events that this log does not hold.
    await db.query('DELETE FROM webhook_relay_marks WHERE position > $1', [mark?.position ?? '']);
    await alongside(db, moved);
    return moved;
  });

/**
 * Lets the relay go on in a log that was put back, behind the newest event that was carried and that the log still holds:
 * nothing that was written behind it is left out, and what is carried twice has the ids of before. Undefined where it has
 * not stopped and the log holds all that was carried. The log is asked before the transaction begins, which the server
 * would end while an answer is waited for.
 */
export const takeUpRelay = async (parts: Parts, alongside: Alongside): Promise<TakenUp | undefined> => {
  const { log, pool } = parts;
  for (;;) {
    const standing = await readRelay(pool);
    if (standing.stopped === undefined && (await lackForGood(log, standing)) === undefined) return undefined;
    const moved = await goOnBehind(pool, standing, await lastInBoth(parts, standing), alongside);
    if (moved) return moved;
  }
};
