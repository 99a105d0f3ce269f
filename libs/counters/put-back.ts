import type pg from 'pg';
import { passOverFree, type SetAside } from '#addresses';
import { passOverIds } from '#deposit-commands';
import { passOverAccountIds, recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { identityOf } from './identity.ts';

/** Says that files were put back, which no database can tell of itself. */
export type RestoredMark = { readonly isThere: () => boolean; readonly remove: () => Promise<void> };

export type PutBackParts = {
  readonly pool: pg.Pool;
  /** False: the log lies elsewhere, and knows what was given. */
  readonly isOfTheLog: boolean;
  readonly restored?: RestoredMark | undefined;
};

/** More than can have been given since a backup. */
const IDS = 1_000_000;
const INDEXES = 100_000;
const ACCOUNT_IDS = 1_000;

/** Asked for by hand: it is no database's identity. */
const TO_BE_RAISED = 'to be raised';

export type Raised = { readonly because: string; readonly setAside: readonly SetAside[] };

const remembered = async (db: Queryable, lock = ''): Promise<string | undefined> =>
  (await db.query<{ identity: string }>(`SELECT identity FROM numbers_given_in ${lock}`)).rows[0]?.identity;

const reasonFor = (known: string, identity: string, { isOfTheLog, restored }: PutBackParts): string | undefined => {
  if (known === TO_BE_RAISED) return 'asked for';
  if (!isOfTheLog) return undefined;
  if (restored?.isThere()) return 'a backup was restored';
  return known === identity ? undefined : 'the database is a copy, was put back to a moment, or took over';
};

const passOver = async (db: Queryable, because: string): Promise<Raised> => {
  await passOverIds(db, IDS);
  await passOverAccountIds(db, ACCOUNT_IDS);
  const setAside = await passOverFree(db, INDEXES);
  const after = { because, ids: IDS, indexes: INDEXES, account_ids: ACCOUNT_IDS, set_aside: setAside };
  const what = { subject: 'numbers', subjectId: 'all', before: null, after };
  await recordChange(db, { actor: 'the installation', action: 'changed', ...what });
  await db.query('UPDATE numbers_given_in SET raised_at = now()');
  return { because, setAside };
};

/** Of several instances at once one raises, and all others wait for it. An installation of before only remembers itself. */
const raiseOnce = (parts: PutBackParts, identity: string): Promise<Raised | undefined> =>
  inTransaction(parts.pool, async (db) => {
    await db.query('INSERT INTO numbers_given_in (identity) VALUES ($1) ON CONFLICT DO NOTHING', [identity]);
    const because = reasonFor((await remembered(db, 'FOR UPDATE')) ?? identity, identity, parts);
    await db.query('UPDATE numbers_given_in SET identity = $1', [identity]);
    return because === undefined ? undefined : passOver(db, because);
  });

/**
 * A database that was put back together with its log has forgotten what it gave since the copy was made, and nobody knows
 * how much that was: numbers go on far above, and no address goes out that may have gone out already.
 */
export const raiseWherePutBack = async (parts: PutBackParts): Promise<Raised | undefined> => {
  const identity = await identityOf(parts.pool);
  const isMarked = parts.restored?.isThere() ?? false;
  if (!isMarked && (await remembered(parts.pool)) === identity) return undefined;
  const raised = await raiseOnce(parts, identity);
  // Who dies in between raises twice, which hurts nobody.
  if (isMarked) await parts.restored?.remove();
  return raised;
};

/** The next look of whichever instance raises the numbers. */
export const askForRaise = async (db: Queryable): Promise<void> => {
  await db.query(
    `INSERT INTO numbers_given_in (identity) VALUES ($1) ON CONFLICT (only_one) DO UPDATE SET identity = excluded.identity`,
    [TO_BE_RAISED],
  );
};
