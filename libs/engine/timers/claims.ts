import type { Queryable } from '#platform/postgres';

/** Timers of one kind of thing: their rows, the claims on them, and the columns that name one, by our names. */
export type TimerTables<Key extends object> = {
  readonly timers: string;
  readonly claims: string;
  readonly key: Readonly<Record<keyof Key & string, string>>;
};

export type Due<Key> = Key & {
  readonly dueAt: Date;
  readonly armedBy: number;
  /** When it was found due, by the clock that found it so. */
  readonly foundAt: Date;
};

/**
 * A claim outlives its instance by no more than this. It is also how long a timer that was rung, and whose event the
 * projection has not seen yet, is left alone.
 */
const CLAIM_SECONDS = 10;

// By the clock of the database: one process whose clock runs ahead would end every deadline of the installation.
// A deadline that was moved meanwhile is another timer: armed_by tells, and a claim of the old one does not hold it.
// Always in the order of the key, so that two instances wait for each other and never in a circle.
const claimOf = <Key extends object>({ timers, claims, key }: TimerTables<Key>): string => {
  const columns: readonly string[] = Object.values(key);
  const [all, same] = [columns.join(', '), columns.map((column) => `c.${column} = t.${column}`).join(' AND ')];
  const named = Object.entries(key).map(([name, column]) => `${column} AS "${name}"`);
  return `
    WITH due AS (
      SELECT t.*
      FROM ${timers} t LEFT JOIN ${claims} c ON ${same} AND c.armed_by = t.armed_by AND c.claimed_until > now()
      WHERE t.waiting AND t.due_at <= coalesce($1, now()) AND c.armed_by IS NULL
      ORDER BY t.due_at LIMIT $2
    ), claimed AS (
      INSERT INTO ${claims} AS c (${all}, armed_by, claimed_until)
      SELECT ${all}, armed_by, now() + make_interval(secs => $3) FROM due ORDER BY ${all}
      ON CONFLICT (${all}) DO UPDATE
        SET armed_by = EXCLUDED.armed_by, claimed_until = EXCLUDED.claimed_until
        WHERE c.claimed_until <= now() OR c.armed_by <> EXCLUDED.armed_by
      RETURNING ${all}
    )
    SELECT ${named.join(', ')}, due_at AS "dueAt", armed_by AS "armedBy", coalesce($1, now()) AS "foundAt"
    FROM due JOIN claimed USING (${all})
    ORDER BY due_at`;
};

/** Due timers, each given to one instance; `now` instead of the time that it is. */
export const claimDueTimers = async <Key extends object>(
  db: Queryable,
  { tables, now, limit }: { readonly tables: TimerTables<Key>; readonly now: Date | undefined; readonly limit: number },
): Promise<readonly Due<Key>[]> => {
  const { rows } = await db.query<Due<Key>>(claimOf(tables), [now, limit, CLAIM_SECONDS]);
  return rows;
};

/** Clocks are set right now and then. */
const LONGEST_HOLD_MS = 3_600_000;

/** It was looked at too early: until then nobody looks again. */
export const holdClaim = async <Key extends object>(
  db: Queryable,
  { claims, key }: TimerTables<Key>,
  due: Due<Key>,
  until: string,
): Promise<void> => {
  const names = Object.keys(key) as (keyof Key & string)[];
  const same = names.map((name, nth) => `${key[name]} = $${nth + 3}`).join(' AND ');
  await db.query(`UPDATE ${claims} SET claimed_until = $1 WHERE armed_by = $2 AND ${same}`, [
    ...[new Date(Math.min(Date.parse(until), Date.now() + LONGEST_HOLD_MS)), due.armedBy],
    ...names.map((name) => due[name]),
  ]);
};

/** Claims that hold nothing any more. */
export const forgetOldClaims = async <Key extends object>(db: Queryable, of: TimerTables<Key>): Promise<void> => {
  const key = Object.values(of.key).join(', ');
  await db.query(`
    DELETE FROM ${of.claims} WHERE (${key}) IN (
      SELECT ${key} FROM ${of.claims} WHERE claimed_until < now() - interval '1 minute' FOR UPDATE SKIP LOCKED
    )`);
};
