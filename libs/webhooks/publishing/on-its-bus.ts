import type { EventMark } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { DEPOSIT_EVENTS } from './message.ts';
import { writeRelayPosition } from './position.ts';
import type { TakenUp } from './take-up-relay.ts';

/** Notifiers seldom stand still for longer; whoever knows better has more carried once more. */
const HOURS_BACK = 1;

/** The newest that is as old as that, or else the oldest that there is. */
const MARK = `
  SELECT event FROM webhook_relay_marks ORDER BY kept_at <= now() - make_interval(hours => $1) DESC,
    CASE WHEN kept_at <= now() - make_interval(hours => $1) THEN now() - kept_at ELSE kept_at - now() END
  LIMIT 1`;

type Row = { readonly bus: string | null; readonly position: TakenUp['from'] };

type MovedBus = TakenUp & { readonly before: string };

/**
 * Of the relay, before it carries: says on which bus it does, and where that is another one than before takes it back by
 * an hour, since what lies untaken on that one has no consumer any more. What is carried twice has its ids of before.
 */
export const goOnToBus = async (db: Queryable, bus: string): Promise<MovedBus | undefined> => {
  const { rows } = await db.query<Row>('SELECT bus, position FROM webhook_relay WHERE name = $1', [DEPOSIT_EVENTS]);
  const [{ bus: before, position: from } = { bus: null, position: null }] = rows;
  const [mark] =
    before === null || before === bus ? [] : (await db.query<{ event: EventMark }>(MARK, [HOURS_BACK])).rows;
  if (mark) await writeRelayPosition(db, mark.event.position, mark.event);
  // Behind the place: whoever is killed in between comes back to both.
  await db.query(
    `INSERT INTO webhook_relay (name, bus) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET bus = excluded.bus`,
    [DEPOSIT_EVENTS, bus],
  );
  return before !== null && mark ? { before, from, to: mark.event.position } : undefined;
};
