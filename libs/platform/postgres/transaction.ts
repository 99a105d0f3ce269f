import { isNativeError } from 'node:util/types';
import type pg from 'pg';

/** What can run a statement: a pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

const rollBack = async (client: pg.PoolClient): Promise<Error | undefined> => {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return isNativeError(error) ? error : new Error(String(error));
  }
};

/** All of `work` or nothing of it. A connection that cannot even roll back is not used again. */
export const inTransaction = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    broken = await rollBack(client);
    throw error;
  } finally {
    client.release(broken);
  }
};
