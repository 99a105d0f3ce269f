import type pg from 'pg';
import type { EventLog, EventMark } from '#event-log';
import { inTransactionOver } from '#platform/postgres';
import { firstHeld } from './first-held.ts';
import { goBackTo, marksBefore, type TakenUp } from './go-back.ts';
import { DEPOSIT_EVENTS } from './message.ts';
import { readRelayPosition } from './position.ts';

type Parts = { readonly log: Pick<EventLog, 'end' | 'misses'>; readonly client: pg.Client };

/** Notifiers seldom stand still for longer; whoever knows better has more carried once more. */
const BACK = '1 hour';

/** Before what was carried last: brokers may have been away for longer than that. */
const MOMENT = `SELECT max(kept_at) - interval '${BACK}' AS moment FROM webhook_relay_marks`;

type Back = {
  /** Undefined: the beginning, as where no mark is as old. */
  readonly mark: EventMark | undefined;
};

/** Behind the first mark of all stands what was carried with it. */
const anHourBack = async ({ log, client }: Parts): Promise<Back | undefined> => {
  const [{ moment } = { moment: null }] = (await client.query<{ moment: Date | null }>(MOMENT)).rows;
  if (moment === null) return undefined;
  const place = await readRelayPosition(client);
  const marks = await marksBefore(client, moment, place);
  if (marks.length === 0) return { mark: undefined };
  return {
    mark:
      (await firstHeld(log, marks)) ??
      (await firstHeld(log, (await marksBefore(client, 'infinity', place)).toReversed())),
  };
};

type MovedBus = TakenUp & { readonly before: string };

const busBefore = async (client: pg.Client): Promise<string | undefined> => {
  const text = 'SELECT bus FROM webhook_relay WHERE name = $1';
  return (await client.query<{ bus: string | null }>(text, [DEPOSIT_EVENTS])).rows[0]?.bus ?? undefined;
};

/**
 * Of the relay, before it carries and once its log was found to be its own: notes on which bus it does, and where that is
 * another one than before takes it back by an hour, since what lies untaken on that one has no consumer any more. What is
 * carried twice has its ids of before. He alone writes it, and asks the log before the transaction.
 */
export const goOnToBus = async (parts: Parts, bus: string): Promise<MovedBus | undefined> => {
  const { client } = parts;
  const before = (await busBefore(client)) ?? bus;
  const back = before === bus ? undefined : await anHourBack(parts);
  return inTransactionOver(client, async () => {
    await client.query(
      `INSERT INTO webhook_relay (name, bus) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET bus = excluded.bus`,
      [DEPOSIT_EVENTS, bus],
    );
    return back && { before, ...(await goBackTo(client, back.mark)) };
  });
};
