import type pg from 'pg';
import { positionOf } from '../position.ts';
import type { AppendOutcome, EventToStore } from '../store.ts';
import { appendToStream, judgePlace } from './append-to-stream.ts';
import { orConnectionLost } from './connection-loss.ts';

type SingleAppend = { readonly stream: string; readonly revision: number; readonly event: EventToStore };

/**
 * Appends of one event each, to whatever streams, in one statement: each stands or falls alone, since a place that is
 * taken is passed over. In the order of the streams, so that two such statements never wait for each other in a ring.
 */
const APPEND_TOGETHER = `
  INSERT INTO events (stream, revision, id, type, data, metadata)
  SELECT stream, revision, id, type, data, metadata
  FROM unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY
    AS new (stream, revision, id, type, data, metadata, nth)
  WHERE revision = 0 OR EXISTS
    (SELECT FROM events AS before WHERE before.stream = new.stream AND before.revision = new.revision - 1)
  ORDER BY stream COLLATE "C", revision, nth
  ON CONFLICT (stream, revision) DO NOTHING
  RETURNING stream, revision, id, xid, position`;

type Written = { stream: string; revision: string; id: string; xid: string; position: string };

const placeOf = (stream: string, revision: number | string, id: string): string => `${id} ${revision} ${stream}`;

const insertTogether = async (pool: pg.Pool, appends: readonly SingleAppend[]) => {
  const { rows } = await pool.query<Written>({
    name: 'event-log-append-together',
    text: APPEND_TOGETHER,
    values: [
      appends.map(({ stream }) => stream),
      appends.map(({ revision }) => revision),
      appends.map(({ event }) => event.id),
      appends.map(({ event }) => event.type),
      appends.map(({ event }) => event.data),
      appends.map(({ event }) => JSON.stringify(event.metadata)),
    ],
  });
  return new Map(
    rows.map(({ stream, revision, id, xid, position }) => [
      placeOf(stream, revision, id),
      positionOf(BigInt(xid), BigInt(position)),
    ]),
  );
};

/** Answers each append as if it had been alone. */
export const appendTogether = (
  pool: pg.Pool,
  appends: readonly SingleAppend[],
): Promise<readonly Promise<AppendOutcome>[]> =>
  orConnectionLost(async () => {
    const [only] = appends;
    if (only && appends.length === 1) return [appendToStream(pool, only.stream, only.revision - 1, [only.event])];
    const written = await insertTogether(pool, appends);
    return appends.map(async ({ stream, revision, event }): Promise<AppendOutcome> => {
      const place = placeOf(stream, revision, event.id);
      const position = written.get(place);
      // The first of several copies is the one that was written; the others are repeats, whatever they brought.
      written.delete(place);
      if (position !== undefined) return { kind: 'appended', revision, position, hash: event.metadata.hash };
      return orConnectionLost(() => judgePlace(pool, stream, revision, [event]));
    });
  });
