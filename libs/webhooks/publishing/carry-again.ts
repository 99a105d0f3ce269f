import type pg from 'pg';
import type { EventMark } from '#event-log';
import { inTransaction, type Queryable } from '#platform/postgres';
import { RELAY, readRelay, writeRelayPosition } from './position.ts';
import type { Alongside, TakenUp } from './take-up-relay.ts';

/** The relay remembers nothing of as long ago; `since` is the oldest moment that it does, of none undefined. */
export class NotRemembered extends Error {
  override readonly name = 'NotRemembered';
  readonly since: Date | undefined;

  constructor(since: Date | undefined) {
    super('the relay of webhooks remembers nothing of as long ago');
    this.since = since;
  }
}

const MARK = 'SELECT event FROM webhook_relay_marks WHERE kept_at <= $1 ORDER BY position DESC LIMIT 1';

const OLDEST = 'SELECT min(kept_at) AS since FROM webhook_relay_marks';

/** Whoever carries, or waits to, begins anew from what is written here: no place that he has in mind is written behind it. */
const END_RELAYS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`;

const markBefore = async (db: Queryable, since: Date): Promise<EventMark> => {
  const [found] = (await db.query<{ event: EventMark }>(MARK, [since])).rows;
  if (found) return found.event;
  const [oldest] = (await db.query<{ since: Date | null }>(OLDEST)).rows;
  throw new NotRemembered(oldest?.since ?? undefined);
};

/**
 * Has the relay carry once more what it carried since: a bus may have lost it with a topic, and a Postgres that was put
 * back does not know what the notifiers took of a Kafka that went on. What is carried twice has its ids of before, and
 * what has a delivery gets no other.
 */
export const carryAgain = (pool: pg.Pool, since: Date, alongside: Alongside): Promise<TakenUp> =>
  inTransaction(pool, async (db) => {
    const { position: from = null } = await readRelay(db, 'FOR UPDATE');
    const mark = await markBefore(db, since);
    await writeRelayPosition(db, mark.position, mark);
    await db.query(END_RELAYS, [RELAY]);
    const moved = { from, to: mark.position };
    await alongside(db, moved);
    return moved;
  });
