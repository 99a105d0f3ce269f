import pg from 'pg';
import type { Queryable } from './transaction.ts';

/** A table that a dump brought has another id, and so has the database; both are kept by whoever copies files. */
const OF_TABLES = '(SELECT oid FROM pg_database WHERE datname = current_database()), $1::regclass::oid';

/** A cluster that was made anew has another number; one that was put back to a moment, or took over, has another timeline. */
const OF_CLUSTER = `(SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** Some providers let nobody ask for these: no such right, no such function, not supported. */
const NOT_TO_BE_ASKED = new Set(['42501', '42883', '0A000']);

const ask = async (db: Queryable, columns: string, table: string): Promise<string> => {
  const { rows } = await db.query<{ identity: string }>(`SELECT concat_ws(' ', ${columns}) AS identity`, [table]);
  return rows[0]?.identity ?? '';
};

/** Which database this is, by a table of it. No copy of it says the same, but one whose files were put back as they were. */
export const identityOf = async (db: Queryable, table: string): Promise<string> => {
  try {
    return await ask(db, `${OF_CLUSTER}, ${OF_TABLES}`, table);
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_TO_BE_ASKED.has(error.code ?? '')) return ask(db, OF_TABLES, table);
    throw error;
  }
};
