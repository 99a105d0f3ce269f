import pg from 'pg';
import type { Queryable } from '#platform/postgres';

/** A table that a dump brought has another id, and so has the database; both are kept by whoever copies files. */
const OF_TABLES = `(SELECT oid FROM pg_database WHERE datname = current_database()), 'numbers_given_in'::regclass::oid`;

/** A cluster that was made anew has another number; one that was put back to a moment, or took over, has another timeline. */
const OF_CLUSTER = `(SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** Some providers let nobody ask for these: no such right, no such function, not supported. */
const NOT_TO_BE_ASKED = new Set(['42501', '42883', '0A000']);

const ask = async (db: Queryable, columns: string): Promise<string> => {
  const { rows } = await db.query<{ identity: string }>(`SELECT concat_ws(' ', ${columns}) AS identity`);
  return rows[0]?.identity ?? '';
};

/** Which database this is. No copy of it says the same, but one whose files were put back as they were. */
export const identityOf = async (pool: pg.Pool): Promise<string> => {
  try {
    return await ask(pool, `${OF_CLUSTER}, ${OF_TABLES}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_TO_BE_ASKED.has(error.code ?? '')) return ask(pool, OF_TABLES);
    throw error;
  }
};
