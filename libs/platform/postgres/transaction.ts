import type pg from 'pg';
import { isRefused } from './away.ts';

/** What can run a statement: a pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

type Ending<T> = {
  /** What is not to be kept is rolled back, though nothing went wrong. */
  readonly isKept?: (result: T) => boolean;
  /** It cannot even roll back. */
  readonly onBroken?: () => void;
};

/** All of `work` or nothing of it, over this one connection. */
export const inTransactionOver = async <T>(
  client: Queryable,
  work: () => Promise<T>,
  { isKept = () => true, onBroken = () => undefined }: Ending<T> = {},
): Promise<T> => {
  try {
    await client.query('BEGIN');
    const result = await work();
    await client.query(isKept(result) ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
};

/** All of `work` or nothing of it. A connection that cannot even roll back, or that was refused, is not used again. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  ending: Pick<Ending<T>, 'isKept'> = {},
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | boolean = false;
  const onBroken = (): void => {
    broken = true;
  };
  try {
    return await inTransactionOver(client, () => work(client), { ...ending, onBroken });
  } catch (error) {
    if (isRefused(error)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
};
