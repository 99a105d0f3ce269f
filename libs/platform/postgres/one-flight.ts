import pg from 'pg';
import type { Queryable } from './transaction.ts';

/** Statements of whoever has such a connection go out behind each other: the answers are waited for together. */
export const sendsAtOnce = (client: Queryable): client is pg.Client => client instanceof pg.Client && client.pipeline;

/**
 * All of the statements or nothing of them: they leave together, each is judged, and only then is committed. One that
 * fails takes along those behind it, so the first that failed says why.
 */
export const inOneFlight = async (client: pg.Client, send: () => readonly Promise<unknown>[]): Promise<void> => {
  const { stream } = client.connection;
  stream.cork();
  const sent = [client.query('BEGIN'), ...send()];
  stream.uncork();
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
  if (failed === undefined) return void (await client.query('COMMIT'));
  await client.query('ROLLBACK').catch(() => undefined);
  throw (failed as PromiseRejectedResult).reason;
};
