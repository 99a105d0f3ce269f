import type pg from 'pg';
import { passOverFree, type SetAside } from '#addresses';
import { passOverIds } from '#deposit-commands';
import { passOverAccountIds, recordChange } from '#partners';
import { identityOf, inTransaction, type Queryable } from '#platform/postgres';

/** Says that files were put back, which no database can tell of itself. */
export type RestoredMark = { readonly isThere: () => boolean; readonly remove: () => Promise<void> };

export type PutBackParts = {
  readonly pool: pg.Pool;
  /** False: the log lies elsewhere, and knows what was given; not so all accounts. */
  readonly isOfTheLog: boolean;
  readonly restored?: RestoredMark | undefined;
};

/** More than can have been given since a backup. */
const IDS = 1_000_000;
const INDEXES = 100_000;
const ACCOUNT_IDS = 1_000;

/** Asked for by hand: it is no database's identity. */
const TO_BE_RAISED = 'to be raised';

/** The same, by a process that knew more than the database does. */
const OLDER = 'to be raised: older than what was counted in it';

/** Found by what the log shows, and by nothing else. */
export const OLDER_THAN_ITS_LOG = 'the database is older than its log';

type Reason = {
  readonly because: string;
  /** The log knows everything else that was given. */
  readonly onlyAccounts: boolean;
};

export type Raised = Reason & { readonly setAside: readonly SetAside[] };

type Remembered = { readonly identity: string; readonly hasForgotten: boolean };

const remembered = async (db: Queryable): Promise<Remembered | undefined> => {
  const { rows } = await db.query<Remembered>(
    `SELECT identity, EXISTS (SELECT FROM counted_through WHERE has_forgotten) AS "hasForgotten" FROM numbers_given_in`,
  );
  return rows[0];
};

/** What was remembered until now, for one alone. */
const takeRemembered = async (db: Queryable, identity: string): Promise<Remembered> => {
  await db.query('INSERT INTO numbers_given_in (identity) VALUES ($1) ON CONFLICT DO NOTHING', [identity]);
  const { rows } = await db.query<{ identity: string }>('SELECT identity FROM numbers_given_in FOR UPDATE');
  await db.query('UPDATE numbers_given_in SET identity = $1', [identity]);
  const forgotten = await db.query('UPDATE counted_through SET has_forgotten = false WHERE has_forgotten');
  return { identity: rows[0]?.identity ?? identity, hasForgotten: forgotten.rowCount === 1 };
};

const reasonFor = (known: Remembered, identity: string, parts: PutBackParts): Reason | undefined => {
  const onlyAccounts = !parts.isOfTheLog;
  if (known.identity === TO_BE_RAISED) return { because: 'asked for', onlyAccounts: false };
  if (known.identity === OLDER) return { because: 'the database is older than what was counted in it', onlyAccounts };
  if (parts.restored?.isThere()) return { because: 'a backup was restored', onlyAccounts };
  if (known.identity !== identity)
    return { because: 'the database is a copy, was put back to a moment, or took over', onlyAccounts };
  return known.hasForgotten ? { because: OLDER_THAN_ITS_LOG, onlyAccounts: true } : undefined;
};

const passOverWhatNoLogKnows = async (db: Queryable) => {
  await passOverIds(db, IDS);
  return { ids: IDS, indexes: INDEXES, set_aside: await passOverFree(db, INDEXES) };
};

export const NUMBERS = { subject: 'numbers', subjectId: 'all', before: null } as const;

const passOver = async (db: Queryable, reason: Reason): Promise<Raised> => {
  const { because, onlyAccounts } = reason;
  await passOverAccountIds(db, ACCOUNT_IDS);
  const more = onlyAccounts ? undefined : await passOverWhatNoLogKnows(db);
  const after = { because, account_ids: ACCOUNT_IDS, ...more };
  await recordChange(db, { actor: 'the installation', action: 'changed', ...NUMBERS, after });
  await db.query('UPDATE numbers_given_in SET raised_at = now()');
  return { ...reason, setAside: more?.set_aside ?? [] };
};

/** Of several instances at once one raises, and all others wait for it. An installation of before only remembers itself. */
const raiseOnce = (parts: PutBackParts, identity: string): Promise<Raised | undefined> =>
  inTransaction(parts.pool, async (db) => {
    const reason = reasonFor(await takeRemembered(db, identity), identity, parts);
    return reason && passOver(db, reason);
  });

/**
 * A database that was put back together with its log has forgotten what it gave since the copy was made, and nobody knows
 * how much that was: numbers go on far above, and no address goes out that may have gone out already. One that was put
 * back beside its log is brought up to that first, and then lacks accounts alone.
 */
export const raiseWherePutBack = async (parts: PutBackParts): Promise<Raised | undefined> => {
  const identity = await identityOf(parts.pool, 'numbers_given_in');
  const isMarked = parts.restored?.isThere() ?? false;
  const known = await remembered(parts.pool);
  if (!isMarked && known?.identity === identity && !known.hasForgotten) return undefined;
  const raised = await raiseOnce(parts, identity);
  // Who dies in between raises twice, which hurts nobody.
  if (isMarked) await parts.restored?.remove();
  return raised;
};

const ASK = `INSERT INTO numbers_given_in AS kept (identity, asked_at) VALUES ($1, CASE WHEN $2 THEN now() END)
  ON CONFLICT (only_one) DO UPDATE SET identity = excluded.identity, asked_at = coalesce(excluded.asked_at, kept.asked_at)`;

/** In the very database that was put back: whoever looks next raises, should this process die before. */
export const noteOlder = async (db: Queryable): Promise<void> => {
  await db.query(ASK, [OLDER, false]);
};

/** When numbers were raised last, in milliseconds; 0: never. */
export const lastRaise = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ at: Date | null }>({
    name: 'last_raise_of_numbers',
    text: 'SELECT raised_at AS at FROM numbers_given_in',
  });
  return rows[0]?.at?.getTime() ?? 0;
};

/** The next look of whichever instance raises the numbers; who asked for it is on record. */
export const askForRaise = (pool: pg.Pool, actor: string): Promise<void> =>
  inTransaction(pool, async (db) => {
    await db.query(ASK, [TO_BE_RAISED, true]);
    await recordChange(db, { actor, action: 'changed', ...NUMBERS, after: { asked: 'to be raised' } });
  });
