import type { Pool, QueryResultRow } from 'pg';
import { openConnection } from '#platform/postgres';

/** One channel for all topics; the payload is the topic's name. */
export const PUBLISHED = 'bus_published';

/**
 * A commit of the group does not wait for the disk: one that a crash of the server took with it makes messages come
 * again, which every consumer has to bear anyway.
 */
const SETTINGS = { synchronous_commit: 'off' };

/**
 * The one connection of a consumer. Its advisory locks are the claims and its commits are the group's: when it is gone
 * the server has freed the claims, and nothing that was owned through it can commit any more.
 */
export type Session = {
  /** One statement at a time, in the order of the calls. A statement that fails ends the session. */
  readonly query: <Row extends QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>;
  readonly ended: AbortSignal;
  readonly end: () => Promise<void>;
};

export const applicationNameOf = (member: string): string => `bus ${member}`;

export const openSession = async (
  pool: Pool,
  member: string,
  onPublished: (topic: string) => void,
): Promise<Session> => {
  const { client, lost, close } = await openConnection(pool, applicationNameOf(member), { settings: SETTINGS });
  const ending = new AbortController();
  const ended = AbortSignal.any([lost, ending.signal]);
  client.on('notification', ({ payload }) => onPublished(payload ?? ''));

  let last: Promise<unknown> = client.query(`LISTEN ${PUBLISHED}`);
  const query: Session['query'] = async (text, values) => {
    const result = last.then(() => {
      if (ended.aborted) throw new Error('The connection to Postgres is gone');
      return client.query(text, [...values]);
    });
    last = result;
    try {
      const { rows } = await result;
      return rows;
    } catch (error) {
      ending.abort();
      throw error;
    }
  };

  return {
    query,
    ended,
    end: async () => {
      ending.abort();
      await close();
    },
  };
};
