import type pg from 'pg';

/** What can run a statement: a pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** All of `work` or nothing of it, over this one connection. `onBroken`: it cannot even roll back. */
export const inTransactionOver = async <T>(
  client: Queryable,
  work: () => Promise<T>,
  onBroken: () => void = () => undefined,
): Promise<T> => {
  try {
    await client.query('BEGIN');
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
};

/** All of `work` or nothing of it. A connection that cannot even roll back is not used again. */
export const inTransaction = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken = false;
  try {
    return await inTransactionOver(
      client,
      () => work(client),
      () => {
        broken = true;
      },
    );
  } finally {
    client.release(broken);
  }
};
