import type { Queryable } from './transaction.ts';

/** More than others take while one statement runs, and few enough to be taken one by one. */
const ONE_BY_ONE = 10_000;

const STANDS_AT = 'CASE WHEN is_called THEN last_value ELSE last_value - 1 END';

/** The last number that each has given, by the names that they are asked for under. */
export const lastOfSequences = async <Name extends string>(
  db: Queryable,
  sequences: Readonly<Record<Name, string>>,
): Promise<Record<Name, number>> => {
  const columns = Object.entries(sequences).map(
    ([name, sequence]) => `(SELECT ${STANDS_AT} FROM ${sequence}) AS "${name}"`,
  );
  const { rows } = await db.query<Record<Name, number>>(`SELECT ${columns.join(', ')}`);
  const [last] = rows;
  if (!last) throw new Error('no sequence was told of');
  return last;
};

/**
 * For the rest of the transaction nobody else sets a sequence, which could set it back. Whoever takes numbers meanwhile
 * does, but never as many as it is set on by.
 */
export const setSequencesAlone = async (db: Queryable): Promise<void> => {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('who sets sequences', 0))");
};

/**
 * What is given next is above this; answers whether it would not have been. In a transaction. Taken one by one where it
 * is near, since others may take as many meanwhile; set where it is far.
 */
export const raiseSequence = async (db: Queryable, sequence: string, to: number): Promise<boolean> => {
  const { last } = await lastOfSequences(db, { last: sequence });
  const isFar = to - last > ONE_BY_ONE;
  if (isFar) await setSequencesAlone(db);
  const { rows } = await db.query<{ isRaised: boolean }>(
    isFar
      ? `SELECT setval('${sequence}', $1) > 0 AS "isRaised" FROM ${sequence} WHERE last_value < $1`
      : `SELECT count(nextval('${sequence}')) > 0 AS "isRaised" FROM generate_series(1, greatest(0, $1 - (
           SELECT ${STANDS_AT} FROM ${sequence})))`,
    [to],
  );
  return rows[0]?.isRaised ?? false;
};
