import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { Payment } from './payments.ts';

/** What fewer nodes than have to agree ever had, as far as is known: it waits, or was given up and may come back. */
export type Alone = Pick<Payment, 'id' | 'chain' | 'txid' | 'vout' | 'script' | 'amount' | 'state' | 'seenAt'> & {
  /** When as many as have to agree refused it last, since enough did not. */
  readonly deniedAt: Date | null;
};

type Row = Omit<Alone, 'amount'> & { readonly amount: string };

const ALONE = `chain = $1 AND is_alone AND state IN ('waiting', 'dropped')`;

const select = async (db: Queryable, where: string, values: readonly unknown[]): Promise<readonly Alone[]> =>
  (
    await db.query<Row>(
      `SELECT id, chain, txid, vout, script, amount::text, state, seen_at AS "seenAt", denied_at AS "deniedAt"
       FROM chain_payments WHERE ${where} ORDER BY id`,
      [...values],
    )
  ).rows.map((row): Alone => ({ ...row, amount: BigInt(row.amount) }));

export const aloneOnes = (db: Queryable, chain: Ticker): Promise<readonly Alone[]> => select(db, ALONE, [chain]);

/** Of these, what was given up while it was alone. */
export const givenUpAlone = async (db: Queryable, chain: Ticker, txids: readonly string[]): Promise<readonly Alone[]> =>
  await select(db, `${ALONE} AND state = 'dropped' AND txid = ANY ($2::text[])`, [chain, txids]);

/** As many have it as have to agree. */
export const bearOut = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query(
    `UPDATE chain_payments SET is_alone = false, denied_since = NULL, denied_at = NULL
     WHERE id = ANY ($1::bigint[]) AND is_alone`,
    [ids],
  );
};

/** Answers since when each is refused: since now where it was last refused before `unbroken`. */
export const markDenied = async (
  db: Queryable,
  ids: readonly number[],
  now: Date,
  unbroken: Date,
): Promise<ReadonlyMap<number, Date>> => {
  const { rows } = await db.query<{ id: number; since: Date }>(
    `UPDATE chain_payments SET denied_at = $2,
       denied_since = CASE WHEN denied_at >= $3::timestamptz THEN COALESCE(denied_since, $2::timestamptz) ELSE $2 END
     WHERE id = ANY ($1::bigint[]) RETURNING id, denied_since AS since`,
    [ids, now, unbroken],
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
};

/** Too few refuse these. */
export const forgetDenied = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query('UPDATE chain_payments SET denied_since = NULL, denied_at = NULL WHERE id = ANY ($1::bigint[])', [
    ids,
  ]);
};
