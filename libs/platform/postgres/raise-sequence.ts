import type { Queryable } from './transaction.ts';

/**
 * What is given next is above this; answers whether it would not have been. Taken one by one: a sequence that was set
 * could go back behind what another call takes meanwhile.
 */
export const raiseSequence = async (db: Queryable, sequence: string, to: number): Promise<boolean> => {
  const { rows } = await db.query<{ isRaised: boolean }>(
    `SELECT count(nextval('${sequence}')) > 0 AS "isRaised" FROM generate_series(1, greatest(0, $1 - (
       SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM ${sequence})))`,
    [to],
  );
  return rows[0]?.isRaised ?? false;
};
