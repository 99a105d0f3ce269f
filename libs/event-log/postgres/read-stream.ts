import type pg from 'pg';
import { together } from '#platform/together';
import { FIRST_PAGE } from '../first-page.ts';
import type { ReadStreamOptions, StoredEvent } from '../store.ts';
import { orConnectionLost } from './connection-loss.ts';
import { COLUMNS, type EventRow, eventOf, UNREACHED } from './rows.ts';

const PAGE = 500;

const SHOWN = `${COLUMNS}, ${UNREACHED} AS unreached`;

const FORWARDS = `SELECT ${SHOWN} FROM events WHERE stream = $1 AND revision >= $2 ORDER BY revision LIMIT $3`;
const BACKWARDS = `SELECT ${SHOWN} FROM events WHERE stream = $1 AND revision <= $2 ORDER BY revision DESC LIMIT $3`;

const page = async (pool: pg.Pool, name: string, text: string, values: readonly unknown[]): Promise<StoredEvent[]> => {
  const { rows } = await pool.query<EventRow>({ name, text, values: [...values] });
  return rows.map(eventOf);
};

export const readRevisions = (pool: pg.Pool, stream: string, from: number, count: number): Promise<StoredEvent[]> =>
  page(pool, 'event-log-read-forwards', FORWARDS, [stream, from, count]);

type FirstPage = { readonly stream: string; readonly from: number };

const FIRST_PAGES = `
  SELECT nth, event.* FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (wanted, first, nth)
  CROSS JOIN LATERAL (
    SELECT ${SHOWN} FROM events WHERE stream = wanted AND revision >= first ORDER BY revision LIMIT ${FIRST_PAGE}
  ) AS event ORDER BY nth, revision`;

/** Those who load some at the same time share a statement. */
const firstPages = async (pool: pg.Pool, asked: readonly FirstPage[]): Promise<readonly StoredEvent[][]> => {
  const { rows } = await pool.query<EventRow & { nth: string }>({
    name: 'event-log-first-pages',
    text: FIRST_PAGES,
    values: [asked.map(({ stream }) => stream), asked.map(({ from }) => from)],
  });
  const pages: StoredEvent[][] = asked.map(() => []);
  for (const row of rows) pages[Number(row.nth) - 1]?.push(eventOf(row));
  return pages;
};

type Step = { readonly stream: string; readonly forwards: boolean; readonly next: number; readonly size: number };

const firstOf = (forwards: boolean): number => (forwards ? 0 : Number.MAX_SAFE_INTEGER);

const nextAfter = ({ forwards, next, size }: Step, events: readonly StoredEvent[]): number =>
  forwards ? next + size : (events.at(-1)?.revision ?? 0) - 1;

/** Pages, so that a long stream needs neither much memory nor a transaction that stays open. */
export const createReadStream = (pool: pg.Pool) => {
  const firstPage = together((asked: readonly FirstPage[]) => firstPages(pool, asked), { lanes: 4, most: 32 });

  const pageAt = ({ stream, forwards, next, size }: Step): Promise<StoredEvent[]> => {
    if (!forwards) return page(pool, 'event-log-read-backwards', BACKWARDS, [stream, next, size]);
    return size === FIRST_PAGE ? firstPage({ stream, from: next }) : readRevisions(pool, stream, next, size);
  };

  return async function* (
    stream: string,
    { from, direction, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions,
  ): AsyncGenerator<StoredEvent> {
    const forwards = direction === 'forwards';
    let next = from ?? firstOf(forwards);
    for (let [left, most] = [limit, FIRST_PAGE]; left > 0 && next >= 0; most = PAGE) {
      const step = { stream, forwards, next, size: Math.min(left, most) };
      const events = await orConnectionLost(() => pageAt(step));
      yield* events;
      if (events.length < step.size) return;
      left -= step.size;
      next = nextAfter(step, events);
    }
  };
};

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
