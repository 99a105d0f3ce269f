import type pg from 'pg';
import type { EventFilter, EventMark, ReadAllOptions } from '../port.ts';
import { isBefore, type Position, partsOf, positionOf } from '../position.ts';
import type { StoredEvent } from '../store.ts';
import { orConnectionLost } from './connection-loss.ts';
import { COLUMNS, type EventRow, eventOf, NEXT_XID } from './rows.ts';

const PAGE = 1_000;

/**
 * Below the oldest transaction still running nothing can appear any more: whatever is read up to there, in the order
 * of (xid, position), is without holes. See docs/explanation/order-of-events.md.
 */
const SETTLED = 'xid < pg_snapshot_xmin(pg_current_snapshot())';

/** What a filter passes over travels without its content: its place still moves the reader on. */
const matching = (column: string): string =>
  `CASE WHEN ($4::text[] IS NULL AND $5::text[] IS NULL) OR type = ANY ($4::text[])
     OR EXISTS (SELECT FROM unnest($5::text[]) AS prefix WHERE starts_with(stream, prefix)) THEN ${column} END AS ${column}`;

const select = (order: string, bound: string): string => `
  SELECT xid, position, ${COLUMNS.split(', ')
    .filter((column) => column !== 'xid' && column !== 'position')
    .map(matching)
    .join(', ')}
  FROM events WHERE ${bound} AND ${SETTLED} ORDER BY ${order} LIMIT $3`;

const FORWARDS = select('xid, position', '(xid, position) > ($1::xid8, $2::bigint)');
const BACKWARDS = select('xid DESC, position DESC', '(xid, position) < ($1::xid8, $2::bigint)');

const BEGINNING = positionOf(0n, 0n);
const END = positionOf(2n ** 64n - 1n, 2n ** 63n - 1n);

type Bare = { readonly xid: string; readonly position: string };
type Row = EventRow | (Bare & { readonly stream: null });

const isMatch = (row: Row): row is EventRow => row.stream !== null;

/** `position` is the last place looked at; undefined: nothing there. `full`: there may be more. */
export type Page = {
  readonly events: readonly StoredEvent[];
  readonly position: Position | undefined;
  readonly full: boolean;
};

/** As the parameters $4 and $5 of the statements above. */
const filterValues = (filter: EventFilter | undefined) => {
  if (filter === undefined) return [null, null];
  return 'types' in filter ? [filter.types, null] : [null, filter.streamPrefixes];
};

const pageOf = (rows: readonly Row[], size: number): Page => {
  const last = rows.at(-1);
  return {
    events: rows.filter(isMatch).map(eventOf),
    position: last && positionOf(last.xid, last.position),
    full: rows.length === size,
  };
};

/** One page behind `after`. */
export const readPage = (
  pool: pg.Pool,
  after: Position | undefined,
  size: number,
  filter: EventFilter | undefined,
  direction: 'forwards' | 'backwards' = 'forwards',
): Promise<Page> =>
  orConnectionLost(async () => {
    const forwards = direction === 'forwards';
    const { major, minor } = partsOf(after ?? (forwards ? BEGINNING : END));
    const { rows } = await pool.query<Row>({
      name: `event-log-read-all-${direction}`,
      text: forwards ? FORWARDS : BACKWARDS,
      values: [major, minor, size, ...filterValues(filter)],
    });
    return pageOf(rows, size);
  });

/** The next page is on its way while one is looked at. */
export async function* readAll(
  pool: pg.Pool,
  { after, direction = 'forwards', limit = Number.POSITIVE_INFINITY, filter }: ReadAllOptions,
): AsyncGenerator<readonly StoredEvent[]> {
  let left = limit;
  const behind = (place: Position | undefined): Promise<Page> | undefined =>
    left > 0 ? readPage(pool, place, filter ? PAGE : Math.min(left, PAGE), filter, direction) : undefined;
  for (let coming = behind(after); coming; ) {
    const { events, position, full } = await coming;
    const wanted = events.slice(0, left);
    left -= wanted.length;
    coming = full ? behind(position) : undefined;
    // Whoever leaves in between does not wait for it.
    coming?.catch(() => undefined);
    if (wanted.length > 0) yield wanted;
  }
}

const lastPlace = async (
  pool: pg.Pool,
  name: string,
  bound: string,
  answerMs?: number,
): Promise<Position | undefined> => {
  const text = `SELECT xid, position FROM events WHERE ${bound} ORDER BY xid DESC, position DESC LIMIT 1`;
  const asked = { name, text, query_timeout: answerMs };
  const { rows } = await orConnectionLost(() => pool.query<Bare>(asked));
  return rows[0] && positionOf(rows[0].xid, rows[0].position);
};

/** By it others see whether the log answers, and it is one row at the end of an index: nobody waits long for that. */
const HEAD_MS = 3_000;

export const readHead = (pool: pg.Pool, answerTimeoutMs: number): Promise<Position | undefined> =>
  lastPlace(pool, 'event-log-head', SETTLED, Math.min(answerTimeoutMs, HEAD_MS));

/** Also what a running transaction still hides from readers; nobody waits for what the log has not come to. */
export const readNewest = (pool: pg.Pool): Promise<Position | undefined> =>
  lastPlace(pool, 'event-log-newest', `xid < ${NEXT_XID}`);

export const holds = (pool: pg.Pool, { position, id }: Pick<EventMark, 'position' | 'id'>) =>
  orConnectionLost(async () => {
    const { major, minor } = partsOf(position);
    const text = 'SELECT FROM events WHERE xid = $1::xid8 AND position = $2::bigint AND id = $3';
    return (await pool.query({ name: 'event-log-holds', text, values: [major, minor, id] })).rows.length > 0;
  });

/** True when events lie behind `after` that a running transaction still hides. */
export const isMoreComing = async (pool: pg.Pool, after: Position | undefined): Promise<boolean> =>
  isBefore(after, await readNewest(pool));
