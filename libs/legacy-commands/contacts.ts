import type pg from 'pg';
import { allGiven, GIVEN_ALWAYS, type GivenWhile } from '#deposit-commands';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import { together } from '#platform/together';

const addWhile = (givenWhile: GivenWhile): string => `
  WITH given AS (
    SELECT nextval('transaction_ids') AS id, email, nth FROM unnest($1::text[]) WITH ORDINALITY AS asked (email, nth)
    WHERE (SELECT ${givenWhile})
  ), added AS (
    INSERT INTO legacy_contacts (transaction_id, email) SELECT id, email FROM given
  )
  SELECT id FROM given ORDER BY nth`;

export type ContactsParts = {
  readonly pool: pg.Pool;
  /** Default: always. */
  readonly givenWhile?: GivenWhile;
};

/**
 * Takes the next id of the sequence that both families share, and keeps the e-mail under it: it never enters the log.
 * Those who come at the same time share a statement.
 */
export const createAddContact = ({
  pool,
  givenWhile = GIVEN_ALWAYS,
}: ContactsParts): ((email: string) => Promise<number>) => {
  const text = addWhile(givenWhile);
  return together(async (emails) => {
    const { rows } = await pool.query<{ id: number }>({ name: 'add_legacy_contacts', text, values: [emails] });
    return allGiven(rows, emails.length).map(({ id }) => id);
  });
};

/** Of a number that turned out to be another's: nobody is shown whose e-mail was kept under it. */
export const dropContact = async (db: Queryable, transactionId: number): Promise<void> => {
  await db.query('DELETE FROM legacy_contacts WHERE transaction_id = $1', [transactionId]);
};

/** Where nothing is had no transaction is made, and nobody learns the number under which an e-mail would be kept. */
export const orDropContact = async <T>(
  db: Queryable,
  transactionId: number,
  take: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  let taken: T | undefined;
  try {
    taken = await take();
  } finally {
    if (taken === undefined) await dropContact(db, transactionId);
  }
  return taken;
};

/** Null once it was erased. */
export const emailOf = async (db: Queryable, transactionId: number): Promise<string | null> => {
  const { rows } = await db.query<{ email: string | null }>({
    name: 'email_of_transaction',
    text: 'SELECT email FROM legacy_contacts WHERE transaction_id = $1',
    values: [transactionId],
  });
  return rows[0]?.email ?? null;
};

/** False where none is left. What was erased is not recorded, only that it was. */
export const eraseEmail = (pool: pg.Pool, transactionId: number, actor: string): Promise<boolean> =>
  inTransaction(pool, async (db) => {
    const erase = 'UPDATE legacy_contacts SET email = NULL WHERE transaction_id = $1 AND email IS NOT NULL';
    if ((await db.query(erase, [transactionId])).rowCount === 0) return false;
    const change = { action: 'removed', subject: 'legacy_contact', subjectId: transactionId } as const;
    await recordChange(db, { actor, ...change, before: null, after: null });
    return true;
  });
