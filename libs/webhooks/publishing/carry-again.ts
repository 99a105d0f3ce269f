import type pg from 'pg';
import { type EventLog, type EventMark, lackForGood } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { firstHeld } from './first-held.ts';
import { goBackTo, marksBefore, type TakenUp } from './go-back.ts';
import { RELAY, readRelay } from './position.ts';
import type { Alongside } from './take-up-relay.ts';

type Parts = { readonly log: Pick<EventLog, 'end' | 'misses'>; readonly pool: pg.Pool };

/** The relay remembers nothing of as long ago; `since` is the oldest moment that it does, of none undefined. */
export class NotRemembered extends Error {
  override readonly name = 'NotRemembered';
  readonly since: Date | undefined;

  constructor(since: Date | undefined) {
    super('the relay of webhooks remembers nothing of as long ago');
    this.since = since;
  }
}

/** The log does not hold what was carried last: whoever has the relay go on in it says so first. */
export class RelayStopped extends Error {
  override readonly name = 'RelayStopped';
}

/** In whole milliseconds, as it can be asked for. Of what the log lacks there is none. */
const OLDEST = `
  SELECT date_trunc('milliseconds', min(kept_at)) + interval '1 ms' AS since FROM webhook_relay_marks WHERE kept_at > $1`;

/** Whoever carries begins anew at once; where a pooler hides him, with the next event, since his place is another then. */
const END_RELAYS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()
    AND pg_has_role(current_user, usename, 'USAGE')`;

const notStopped = async (db: Queryable, lock: '' | 'FOR UPDATE' = '') => {
  const standing = await readRelay(db, lock);
  if (standing.stopped !== undefined) throw new RelayStopped(standing.stopped);
  return standing;
};

const markIn = async ({ log, pool }: Parts, since: Date): Promise<EventMark> => {
  const standing = await notStopped(pool);
  const lack = await lackForGood(log, standing);
  if (lack !== undefined) throw new RelayStopped(`the relay of webhooks ${lack}`);
  const mark = await firstHeld(log, await marksBefore(pool, since, standing.position));
  if (mark) return mark;
  const [oldest] = (await pool.query<{ since: Date | null }>(OLDEST, [since])).rows;
  throw new NotRemembered(oldest?.since ?? undefined);
};

/**
 * Has the relay carry once more what it carried since: a bus may have lost it with a topic, and a Postgres that was put
 * back does not know what the notifiers took of a Kafka that went on. What is carried twice has its ids of before, and
 * what has a delivery to an endpoint gets no other to that. One that has stopped is not moved: behind a place that the
 * log holds it would go on, and nobody would hear that the log was put back. The log is asked before the transaction.
 */
export const carryAgain = async (parts: Parts, since: Date, alongside: Alongside): Promise<TakenUp> => {
  const mark = await markIn(parts, since);
  return inTransaction(parts.pool, async (db) => {
    await notStopped(db, 'FOR UPDATE');
    const moved = await goBackTo(db, mark);
    await db.query(END_RELAYS, [RELAY]);
    await alongside(db, moved);
    return moved;
  });
};
