import type pg from 'pg';
import type { EventMark } from '#event-log';
import { inTransactionOver, type Queryable } from '#platform/postgres';
import { goBackTo, markBefore, type TakenUp } from './go-back.ts';
import { DEPOSIT_EVENTS } from './message.ts';

/** Notifiers seldom stand still for longer; whoever knows better has more carried once more. */
const BACK = '1 hour';

/** Before what was carried last: brokers may have been away for longer than that. */
const MOMENT = `SELECT max(kept_at) - interval '${BACK}' AS moment FROM webhook_relay_marks`;
const OLDEST = 'SELECT event FROM webhook_relay_marks ORDER BY position LIMIT 1';

const markAnHourBack = async (db: Queryable): Promise<EventMark | undefined> => {
  const [{ moment } = { moment: null }] = (await db.query<{ moment: Date | null }>(MOMENT)).rows;
  if (moment === null) return undefined;
  return (await markBefore(db, moment)) ?? (await db.query<{ event: EventMark }>(OLDEST)).rows[0]?.event;
};

type MovedBus = TakenUp & { readonly before: string };

/**
 * Of the relay, before it carries: notes on which bus it does, and where that is another one than before takes it back by
 * an hour, since what lies untaken on that one has no consumer any more. What is carried twice has its ids of before.
 */
export const goOnToBus = (client: pg.Client, bus: string): Promise<MovedBus | undefined> =>
  inTransactionOver(client, async () => {
    const { rows } = await client.query<{ bus: string | null }>(
      `INSERT INTO webhook_relay AS known (name, bus) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET bus = excluded.bus
       RETURNING (SELECT bus FROM webhook_relay WHERE name = $1) AS bus`,
      [DEPOSIT_EVENTS, bus],
    );
    const before = rows[0]?.bus ?? bus;
    const mark = before === bus ? undefined : await markAnHourBack(client);
    return mark && { before, ...(await goBackTo(client, mark)) };
  });
