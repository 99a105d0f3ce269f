import type { Queryable } from '#platform/postgres';

const isGranted = async (db: Queryable, call: string): Promise<boolean> => {
  const { rows } = await db.query<{ granted: boolean }>(`SELECT ${call} AS granted`);
  return rows[0]?.granted ?? false;
};

export type InstallationLock = {
  /** Of a connection, for as long as it lives: while anybody shares it, nobody claims it. False while somebody does. */
  readonly share: (db: Queryable) => Promise<boolean>;
  readonly unshare: (db: Queryable) => Promise<boolean>;
  /** Of a transaction: nobody else shares it, and nobody can until the transaction has ended. */
  readonly claim: (db: Queryable) => Promise<boolean>;
  /** The names of the connections that share it. */
  readonly sharers: (db: Queryable) => Promise<readonly string[]>;
};

/** On what all processes of an installation have to have alike: whoever is to change it has to be alone. */
export const lockOn = (what: string): InstallationLock => {
  const key = `hashtextextended('${what}', 0)`;
  const sharers = `
    SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32) | objid::bigint = ${key}
    ORDER BY backend_start`;
  return {
    share: (db) => isGranted(db, `pg_try_advisory_lock_shared(${key})`),
    unshare: (db) => isGranted(db, `pg_advisory_unlock_shared(${key})`),
    claim: (db) => isGranted(db, `pg_try_advisory_xact_lock(${key})`),
    sharers: async (db) => (await db.query<{ name: string }>(sharers)).rows.map(({ name }) => name),
  };
};

export const engineLock = lockOn('the engine of this installation');
/** By the same name as in the function is_log_of_installation. */
export const logLock = lockOn('the event log of this installation');
