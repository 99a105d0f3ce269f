import type pg from 'pg';
import { textArray } from '#platform/postgres';
import { positionOf } from '../position.ts';
import { type AppendOutcome, type EventToStore, NOTHING } from '../store.ts';
import { isUniqueViolation, orConnectionLost } from './connection-loss.ts';
import { readRevisions } from './read-stream.ts';

/**
 * One statement, so one round trip and one transaction. The key (stream, revision) refuses whoever comes second; the
 * event that it goes behind must be there, so that a stream never has a gap.
 */
export const APPEND_ONE = `
  INSERT INTO events (stream, revision, id, type, data, metadata)
  SELECT $1, $2::bigint, $3::uuid, $4, $5, $6
  WHERE $2::bigint = 0 OR EXISTS (SELECT FROM events WHERE stream = $1 AND revision = $2::bigint - 1)
  RETURNING xid, position`;

export const APPEND_MANY = `
  INSERT INTO events (stream, revision, id, type, data, metadata)
  SELECT $1, $2::bigint + nth - 1, id, type, data, metadata
  FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS new (id, type, data, metadata, nth)
  WHERE $2::bigint = 0 OR EXISTS (SELECT FROM events WHERE stream = $1 AND revision = $2::bigint - 1)
  ORDER BY nth
  RETURNING xid, position`;

type Written = { xid: string; position: string };

const insert = async (pool: pg.Pool, stream: string, first: number, events: readonly EventToStore[]) => {
  const ids = events.map((event) => event.id);
  const columns = [
    ids,
    events.map((event) => event.type),
    events.map((event) => event.data),
    events.map((event) => JSON.stringify(event.metadata)),
  ];
  const one = events.length === 1;
  const { rows } = await pool.query<Written>({
    name: one ? 'event-log-append-one' : 'event-log-append-many',
    text: one ? APPEND_ONE : APPEND_MANY,
    values: [stream, first, ...(one ? columns.map(([value]) => value) : [ids, ...columns.slice(1).map(textArray)])],
  });
  return rows.at(-1);
};

/** What stands where the events were to go: themselves, from an earlier try, or another writer's. */
export const judgePlace = async (
  pool: pg.Pool,
  stream: string,
  first: number,
  events: readonly EventToStore[],
): Promise<AppendOutcome> => {
  const standing = await readRevisions(pool, stream, first, events.length);
  const last = standing.at(-1);
  if (last && events.every((event, i) => standing[i]?.id === event.id))
    return { kind: 'appended', revision: last.revision, position: last.position, hash: last.metadata.hash };
  const { rows } = await pool.query<{ last: string | null }>({
    name: 'event-log-last-revision',
    text: 'SELECT max(revision) AS last FROM events WHERE stream = $1',
    values: [stream],
  });
  const revision = rows[0]?.last;
  return { kind: 'conflict', actual: revision === null || revision === undefined ? 'no_stream' : Number(revision) };
};

export const appendToStream = (
  pool: pg.Pool,
  stream: string,
  after: number,
  events: readonly EventToStore[],
): Promise<AppendOutcome> =>
  orConnectionLost(async () => {
    const first = after === NOTHING ? 0 : after + 1;
    try {
      const written = await insert(pool, stream, first, events);
      if (written) {
        const position = positionOf(written.xid, written.position);
        const hash = events.at(-1)?.metadata.hash;
        return { kind: 'appended', revision: first + events.length - 1, position, hash };
      }
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    return judgePlace(pool, stream, first, events);
  });
