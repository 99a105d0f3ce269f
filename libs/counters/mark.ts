import { type EventMark, type Position, parsePosition } from '#event-log';
import type { Queryable } from '#platform/postgres';

/** How far into the log this database has counted. */
export type Mark = EventMark;

type Row = { readonly position: string; readonly stream: string; readonly revision: number; readonly id: string };

export const readMark = async (db: Queryable): Promise<Mark | undefined> => {
  const { rows } = await db.query<Row>({
    name: 'read_counted_through',
    text: 'SELECT position, stream, revision, event_id AS id FROM counted_through',
  });
  return rows[0] && { ...rows[0], position: parsePosition(rows[0].position) };
};

/** Whether the log was found to hold anything. */
export const hasCounted = async (db: Queryable): Promise<boolean> => (await readMark(db)) !== undefined;

/** Another instance may be further: it never goes back. */
export const moveMark = async (db: Queryable, { position, stream, revision, id }: Mark): Promise<void> => {
  await db.query(
    `INSERT INTO counted_through AS known (position, stream, revision, event_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (only_one) DO UPDATE SET position = excluded.position, stream = excluded.stream,
       revision = excluded.revision, event_id = excluded.event_id WHERE known.position < excluded.position`,
    [position, stream, revision, id],
  );
};

/**
 * What was counted had not been given here. Whoever gives a number or an address writes it to the disk before the log
 * hears of it, so no death of a process or a server brings that about: an end of the database is lost.
 */
export const noteForgotten = async (db: Queryable): Promise<void> => {
  await db.query('UPDATE counted_through SET has_forgotten = true WHERE NOT has_forgotten');
};

export const isBehind = (one: Position | undefined, other: Position | undefined): boolean =>
  other !== undefined && (one === undefined || one < other);

/** Which process of Postgres keeps which database: another one may lack what this one has given out. */
export const serverOf = async (db: Queryable): Promise<string | undefined> => {
  const { rows } = await db.query<{ server: string }>({
    name: 'server_of_numbers',
    text: `SELECT concat(oid, ' ', pg_postmaster_start_time()) AS server FROM pg_database
           WHERE datname = current_database()`,
  });
  return rows[0]?.server;
};
