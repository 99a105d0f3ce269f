import type { Configuration } from '#platform/configuration';
import type { Queryable } from '#platform/postgres';

/** Undefined before the first start, and of an installation that no release has started which keeps it. */
export const keptLog = async (db: Queryable): Promise<string | undefined> =>
  (await db.query<{ kind: string }>('SELECT kind FROM installation_log')).rows[0]?.kind;

/** Of several at once the first one is. */
export const keepLog = async (db: Queryable, kind: string): Promise<void> => {
  await db.query('INSERT INTO installation_log (kind) VALUES ($1) ON CONFLICT DO NOTHING', [kind]);
};

/** A log that has the installation's name keeps it: another one of that kind is given a new one. */
const NAME_LET_GO = `let_go = array_remove(array_append(let_go, installation), NULL), installation = NULL, name_revision = NULL`;

/** False when it is another one meanwhile. */
export const changeLog = async (db: Queryable, before: string, after: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE installation_log SET kind = $1, since = now(), ${NAME_LET_GO} WHERE kind = $2`,
    [after, before],
  );
  return rowCount === 1;
};

/** As its log names it. Undefined: it has none that does. Asked of a database of any release. */
export const keptInstallation = async (db: Queryable): Promise<string | undefined> => {
  const text = "SELECT to_jsonb(kept) ->> 'installation' AS id FROM installation_log AS kept";
  return (await db.query<{ id: string | null }>(text)).rows[0]?.id ?? undefined;
};

/** Of several at once the first one is; false for the others. */
export const keepInstallation = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.query('UPDATE installation_log SET installation = $1 WHERE installation IS NULL', [id])).rowCount === 1;

/** At which revision its log was found to have the name. Undefined: no log is known to have it. */
export const nameRevision = async (db: Queryable): Promise<number | undefined> => {
  const text = 'SELECT name_revision::float8 AS revision FROM installation_log';
  return (await db.query<{ revision: number | null }>(text)).rows[0]?.revision ?? undefined;
};

export const keepNameRevision = async (db: Queryable, id: string, revision: number): Promise<void> => {
  await db.query(
    'UPDATE installation_log SET name_revision = $2 WHERE installation = $1 AND name_revision IS DISTINCT FROM $2',
    [id, revision],
  );
};

/** It is another installation's from here on, or nobody's; the next log gives this one a name, or is given a new one. */
export const letNameGo = async (db: Queryable): Promise<void> => {
  await db.query(`UPDATE installation_log SET ${NAME_LET_GO}`);
};

/** False where the installation has one by now, so that no two logs are its own. */
export const takeNameBack = async (db: Queryable, id: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    'UPDATE installation_log SET let_go = array_remove(let_go, $1) WHERE installation IS NULL',
    [id],
  );
  return rowCount === 1;
};

export type LogNow = {
  readonly kind: string;
  readonly installation: string | undefined;
  /** The names of those that were let go, the last one behind the others. */
  readonly letGo: readonly string[];
};

export const logNow = async (db: Queryable): Promise<LogNow | undefined> => {
  const text = 'SELECT kind, installation, let_go::text[] AS "letGo" FROM installation_log';
  const { rows } = await db.query<Omit<LogNow, 'installation'> & { installation: string | null }>(text);
  return rows[0] && { ...rows[0], installation: rows[0].installation ?? undefined };
};

/**
 * For the statement that gives out what will stand in the log: false where that is of another kind by now, or is about to
 * be. Beside it nobody changes the kind, and whoever comes to change it after it finds that something was given.
 */
export const ofThisLog = (kind: Configuration['eventStore']['kind']): string => `is_log_of_installation('${kind}')`;
