import type { Queryable } from '#platform/postgres';

/** Answers since when each is refused: since now where it was last refused before `unbroken`. */
export const markRefused = async (
  db: Queryable,
  ids: readonly number[],
  now: Date,
  unbroken: Date,
): Promise<ReadonlyMap<number, Date>> => {
  const { rows } = await db.query<{ id: number; since: Date }>(
    `UPDATE chain_payments SET vanished_at = COALESCE(vanished_at, $2::timestamptz), refused_at = $2,
       refused_since = CASE WHEN refused_at >= $3::timestamptz THEN COALESCE(refused_since, $2) ELSE $2 END
     WHERE id = ANY ($1::bigint[]) AND state = 'waiting' RETURNING id, refused_since AS since`,
    [ids, now, unbroken],
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
};

/** It vanished, and as many nodes have it as have to agree. */
export const markTaken = async (db: Queryable, ids: readonly number[], now: Date): Promise<void> => {
  await db.query(
    `UPDATE chain_payments SET vanished_at = COALESCE(vanished_at, $2), refused_since = NULL, refused_at = NULL
     WHERE id = ANY ($1::bigint[]) AND state = 'waiting'`,
    [ids, now],
  );
};

/** Too few have refused these since then. */
export const forgetRefused = async (db: Queryable, ids: readonly number[], since: Date): Promise<void> => {
  await db.query(
    `UPDATE chain_payments SET refused_since = NULL, refused_at = NULL
     WHERE id = ANY ($1::bigint[]) AND refused_at <= $2`,
    [ids, since],
  );
};
