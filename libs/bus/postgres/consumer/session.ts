import type { QueryResultRow } from 'pg';
import { CHANNEL } from '../channel.ts';
import { openClient } from '../pool.ts';

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

/** A client machine that vanished is noticed within half a minute; without that its claims would stay for hours. */
const PREPARE = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; LISTEN ${CHANNEL}`;

export const applicationNameOf = (member: string): string => `bus ${member}`;

export const openSession = async (
  databaseUrl: string,
  member: string,
  onPublished: (topic: string) => void,
): Promise<Session> => {
  const client = await openClient(databaseUrl, applicationNameOf(member));
  const ended = new AbortController();
  client.once('end', () => ended.abort());
  client.on('error', () => ended.abort());
  client.on('notification', ({ payload }) => onPublished(payload ?? ''));

  let last: Promise<unknown> = client.query(PREPARE);
  const query: Session['query'] = async (text, values) => {
    const result = last.then(() => {
      if (ended.signal.aborted) throw new Error('The connection to Postgres is gone');
      return client.query(text, [...values]);
    });
    last = result;
    try {
      const { rows } = await result;
      return rows;
    } catch (error) {
      ended.abort();
      throw error;
    }
  };

  return {
    query,
    ended: ended.signal,
    end: async () => {
      ended.abort();
      await client.end().catch(() => undefined);
    },
  };
};
