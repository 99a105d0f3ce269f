import type pg from 'pg';
import { inTransaction } from '#platform/postgres';
import { goBackTo, markBefore, type TakenUp } from './go-back.ts';
import { RELAY } from './position.ts';
import type { Alongside } from './take-up-relay.ts';

/** The relay remembers nothing of as long ago; `since` is the oldest moment that it does, of none undefined. */
export class NotRemembered extends Error {
  override readonly name = 'NotRemembered';
  readonly since: Date | undefined;

  constructor(since: Date | undefined) {
    super('the relay of webhooks remembers nothing of as long ago');
    this.since = since;
  }
}

/** In whole milliseconds, as it can be asked for. */
const OLDEST = `
  SELECT date_trunc('milliseconds', min(kept_at)) + interval '1 ms' AS since FROM webhook_relay_marks`;

/** Whoever carries begins anew at once; where a pooler hides him, with the next event, since his place is another then. */
const END_RELAYS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()
    AND pg_has_role(current_user, usename, 'USAGE')`;

/**
 * Has the relay carry once more what it carried since: a bus may have lost it with a topic, and a Postgres that was put
 * back does not know what the notifiers took of a Kafka that went on. What is carried twice has its ids of before, and
 * what has a delivery to an endpoint gets no other to that.
 */
export const carryAgain = (pool: pg.Pool, since: Date, alongside: Alongside): Promise<TakenUp> =>
  inTransaction(pool, async (db) => {
    const mark = await markBefore(db, since);
    if (!mark) throw new NotRemembered((await db.query<{ since: Date | null }>(OLDEST)).rows[0]?.since ?? undefined);
    const moved = await goBackTo(db, mark);
    await db.query(END_RELAYS, [RELAY]);
    await alongside(db, moved);
    return moved;
  });
