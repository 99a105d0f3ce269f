import type pg from 'pg';
import { together } from '#platform/together';
import type { ReadStreamOptions, StoredEvent } from '../store.ts';
import { orConnectionLost } from './connection-loss.ts';
import { COLUMNS, type EventRow, eventOf } from './rows.ts';

const PAGE = 500;

const FORWARDS = `SELECT ${COLUMNS} FROM events WHERE stream = $1 AND revision >= $2 ORDER BY revision LIMIT $3`;
const BACKWARDS = `SELECT ${COLUMNS} FROM events WHERE stream = $1 AND revision <= $2 ORDER BY revision DESC LIMIT $3`;

const page = async (pool: pg.Pool, name: string, text: string, values: readonly unknown[]): Promise<StoredEvent[]> => {
  const { rows } = await pool.query<EventRow>({ name, text, values: [...values] });
  return rows.map(eventOf);
};

export const readRevisions = (pool: pg.Pool, stream: string, from: number, count: number): Promise<StoredEvent[]> =>
  page(pool, 'event-log-read-forwards', FORWARDS, [stream, from, count]);

/** Pages, so that a long stream needs neither much memory nor a transaction that stays open. */
export async function* readStream(
  pool: pg.Pool,
  stream: string,
  { from, direction, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions,
): AsyncGenerator<StoredEvent> {
  const forwards = direction === 'forwards';
  const [name, text] = forwards ? ['event-log-read-forwards', FORWARDS] : ['event-log-read-backwards', BACKWARDS];
  let next = from ?? (forwards ? 0 : Number.MAX_SAFE_INTEGER);
  for (let left = limit; left > 0 && next >= 0; ) {
    const size = Math.min(left, PAGE);
    const events = await orConnectionLost(() => page(pool, name, text, [stream, next, size]));
    yield* events;
    if (events.length < size) return;
    left -= size;
    next += forwards ? size : -size;
    if (!forwards) next = (events.at(-1)?.revision ?? 0) - 1;
  }
}

const LAST = `
  SELECT (SELECT revision FROM events WHERE events.stream = asked.stream ORDER BY revision DESC LIMIT 1) AS last
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (stream, nth) ORDER BY nth`;

/** Those who ask at the same time share a statement. */
export const createLastRevision = (pool: pg.Pool): ((stream: string) => Promise<number | undefined>) =>
  together(
    (streams) =>
      orConnectionLost(async () => {
        const { rows } = await pool.query<{ last: string | null }>({
          name: 'event-log-last-revisions',
          text: LAST,
          values: [streams],
        });
        return rows.map(({ last }) => (last === null ? undefined : Number(last)));
      }),
    { lanes: 2 },
  );
