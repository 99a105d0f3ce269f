import { type Position, parsePosition } from '#event-log';
import type { Queryable } from '#platform/postgres';
import { DEPOSIT_EVENTS } from './message.ts';

export const readRelayPosition = async (db: Queryable): Promise<Position | undefined> => {
  const { rows } = await db.query<{ position: string | null }>('SELECT position FROM webhook_relay WHERE name = $1', [
    DEPOSIT_EVENTS,
  ]);
  const text = rows[0]?.position ?? undefined;
  return text === undefined ? undefined : parsePosition(text);
};

/** After the publication, never before it: what is repeated has the same ids, what is left out is lost. */
export const writeRelayPosition = async (db: Queryable, position: Position): Promise<void> => {
  await db.query(
    `INSERT INTO webhook_relay (name, position) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET position = excluded.position`,
    [DEPOSIT_EVENTS, position],
  );
};
