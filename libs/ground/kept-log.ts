import { hasSealed } from '#audit';
import { hasCounted } from '#counters';
import { hasGivenIds } from '#deposit-commands';
import { keepLog, keptInstallation, keptLog } from '#instances';
import type { Queryable } from '#platform/postgres';
import { hasProjected } from '#read-models';

const isThere = async (db: Queryable, table: string): Promise<boolean> => {
  const { rows } = await db.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
  return rows[0]?.there === true;
};

const holdsEvents = async (db: Queryable): Promise<boolean> =>
  (await isThere(db, 'events')) && (await db.query('SELECT FROM events LIMIT 1')).rowCount === 1;

/** Of an installation of before, which kept no word of it: its history says where it is. */
const whereHistoryIs = async (db: Queryable): Promise<string | undefined> => {
  if (await holdsEvents(db)) return 'postgres';
  return (await isThere(db, 'counted_through')) && (await hasCounted(db)) ? 'eventstoredb' : undefined;
};

/** The kind of this installation's log; the given one where it has no history yet. */
export const rememberedLog = async (db: Queryable, kind: string): Promise<string> => {
  const kept = await keptLog(db);
  if (kept !== undefined) return kept;
  await keepLog(db, (await whereHistoryIs(db)) ?? kind);
  return (await keptLog(db)) ?? kind;
};

/** Whether any history went into this database, its own or that of another log: it was counted, shown as rows or sealed. */
export const knowsHistory = async (db: Queryable): Promise<boolean> =>
  (await whereHistoryIs(db)) !== undefined || (await hasProjected(db)) || (await hasSealed(db));

/** What was given out stands in the log, or may: no other one can take its place. */
export const mayHaveHistory = async (db: Queryable): Promise<boolean> =>
  (await hasGivenIds(db)) || (await knowsHistory(db));

/** Of a database of any release, which is only looked at: undefined where there is no history yet. */
export const toldLog = async (db: Queryable): Promise<string | undefined> =>
  ((await isThere(db, 'installation_log')) ? await keptLog(db) : undefined) ?? (await whereHistoryIs(db));

/** The same of which installation it is. */
export const toldInstallation = async (db: Queryable): Promise<string | undefined> =>
  (await isThere(db, 'installation_log')) ? keptInstallation(db) : undefined;

/** Whether the tables of a log are there, with something in them or not. */
export const hasTablesOfLog = (db: Queryable): Promise<boolean> => isThere(db, 'events');
