import type pg from 'pg';
import { textArray } from '#platform/postgres';
import { positionOf } from '../position.ts';
import type { AppendOutcome, EventToStore } from '../store.ts';
import { appendToStream, judgePlace } from './append-to-stream.ts';
import { orConnectionLost } from './connection-loss.ts';

/** What is to stand in a stream from revision `first` on, all or nothing. */
export type PlacedAppend = {
  readonly stream: string;
  readonly first: number;
  readonly events: readonly EventToStore[];
};

const insert = (onConflict: string): string => `
  INSERT INTO events (stream, revision, id, type, data, metadata)
  SELECT stream, revision, id, type, data, metadata
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY
    AS new (stream, first, revision, id, type, data, metadata, nth)
  WHERE first = 0 OR EXISTS
    (SELECT FROM events AS before WHERE before.stream = new.stream AND before.revision = new.first - 1)
  ORDER BY stream COLLATE "C", revision, nth
  ${onConflict}
  RETURNING stream, revision, id, xid, position`;

/**
 * Appends to whatever streams in one statement, in the order of the streams, so that two such statements never wait for
 * each other in a ring. Of those with one event each stands or falls alone: a place that is taken is passed over. An
 * append of several must not be written in part, so one taken place refuses the whole statement, and whoever sent it
 * sends them one by one.
 */
const ONE_EACH = { name: 'event-log-append-together', text: insert('ON CONFLICT (stream, revision) DO NOTHING') };
const SEVERAL = { name: 'event-log-append-whole', text: insert('') };

type Written = { stream: string; revision: string; id: string; xid: string; position: string };

const placeOf = (stream: string, revision: number | string, id: string): string => `${id} ${revision} ${stream}`;

const insertTogether = async (pool: pg.Pool, appends: readonly PlacedAppend[]) => {
  const placed = appends.flatMap(({ stream, first, events }) =>
    events.map((event, nth) => ({ stream, first, revision: first + nth, event })),
  );
  const { rows } = await pool.query<Written>({
    ...(placed.length === appends.length ? ONE_EACH : SEVERAL),
    values: [
      textArray(placed.map(({ stream }) => stream)),
      placed.map(({ first }) => first),
      placed.map(({ revision }) => revision),
      placed.map(({ event }) => event.id),
      textArray(placed.map(({ event }) => event.type)),
      textArray(placed.map(({ event }) => event.data)),
      textArray(placed.map(({ event }) => JSON.stringify(event.metadata))),
    ],
  });
  return new Map(
    rows.map(({ stream, revision, id, xid, position }) => [placeOf(stream, revision, id), positionOf(xid, position)]),
  );
};

/** Answers each append as if it had been alone. */
export const appendTogether = (
  pool: pg.Pool,
  appends: readonly PlacedAppend[],
): Promise<readonly Promise<AppendOutcome>[]> =>
  orConnectionLost(async () => {
    const [only] = appends;
    if (only && appends.length === 1) return [appendToStream(pool, only.stream, only.first - 1, only.events)];
    const written = await insertTogether(pool, appends);
    return appends.map(async ({ stream, first, events }): Promise<AppendOutcome> => {
      const [last, revision] = [events.at(-1), first + events.length - 1];
      const place = placeOf(stream, revision, last?.id ?? '');
      const position = written.get(place);
      // The first of several copies is the one that was written; the others are repeats, whatever they brought.
      written.delete(place);
      if (position !== undefined) return { kind: 'appended', revision, position, hash: last?.metadata.hash };
      return orConnectionLost(() => judgePlace(pool, stream, first, events));
    });
  });
