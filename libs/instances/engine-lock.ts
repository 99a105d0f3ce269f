import type { Queryable } from '#platform/postgres';

const KEY = "hashtextextended('the engine of this installation', 0)";

const isGranted = async (db: Queryable, call: string): Promise<boolean> => {
  const { rows } = await db.query<{ granted: boolean }>(`SELECT ${call} AS granted`);
  return rows[0]?.granted ?? false;
};

/** Of a connection, for as long as it lives: while anybody shares it, nobody changes the engine. False while somebody does. */
export const shareEngine = (db: Queryable): Promise<boolean> => isGranted(db, `pg_try_advisory_lock_shared(${KEY})`);

export const unshareEngine = (db: Queryable): Promise<boolean> => isGranted(db, `pg_advisory_unlock_shared(${KEY})`);

/** Of a transaction: nobody shares it, and nobody can until the transaction has ended. */
export const claimEngine = (db: Queryable): Promise<boolean> => isGranted(db, `pg_try_advisory_xact_lock(${KEY})`);

const SHARERS = `
  SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) | objid::bigint = ${KEY}
  ORDER BY backend_start`;

/** The names of the connections that share it. */
export const engineSharers = async (db: Queryable): Promise<readonly string[]> =>
  (await db.query<{ name: string }>(SHARERS)).rows.map(({ name }) => name);
