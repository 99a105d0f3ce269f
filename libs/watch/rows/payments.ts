import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { Told } from '../signals.ts';

export type PaymentState = 'waiting' | 'mined' | 'confirmed' | 'dropped' | 'replaced';

export type Payment = Told & {
  readonly id: number;
  readonly state: PaymentState;
  readonly isDust: boolean;
  readonly blockHash: string | null;
  readonly blockHeight: number | null;
  readonly replaceable: boolean;
  readonly isCoinbase: boolean;
  /** It was judged, and its block, or one that it leans on, was given up then. */
  readonly doubtedSince: Date | null;
  readonly seenAt: Date;
  readonly refusedSince: Date | null;
  readonly refusedAt: Date | null;
  /** The block in which as many nodes showed it as have to agree. */
  readonly shownIn: string | null;
  /** Known by the log alone: no node has shown it since. */
  readonly isOfLog: boolean;
};

export type Row = Omit<Payment, 'amount'> & { readonly amount: string };

/** Without the transaction itself: it may be large, and pay thousands of outputs of ours. */
export const COLUMNS = `id, chain, txid, vout, script, amount::text, epoch, deposit_id AS "depositId",
  transaction_id AS "transactionId", state, is_dust AS "isDust", block_hash AS "blockHash",
  block_height AS "blockHeight", replaceable, is_coinbase AS "isCoinbase", doubted_since AS "doubtedSince",
  seen_at AS "seenAt", refused_since AS "refusedSince", refused_at AS "refusedAt", shown_in AS "shownIn",
  is_of_log AS "isOfLog"`;

export const paymentOf = (row: Row): Payment => ({ ...row, amount: BigInt(row.amount) });

const select = async (db: Queryable, where: string, values: readonly unknown[]): Promise<readonly Payment[]> =>
  (await db.query<Row>(`SELECT ${COLUMNS} FROM chain_payments WHERE ${where} ORDER BY id`, [...values])).rows.map(
    paymentOf,
  );

/** What `set` makes of those that it is true of; answers with them as they are now. */
const change = async (db: Queryable, set: string, values: readonly unknown[]): Promise<readonly Payment[]> => {
  const { rows } = await db.query<Row>(`UPDATE chain_payments SET ${set} RETURNING ${COLUMNS}`, [...values]);
  return rows.map(paymentOf).sort((one, other) => one.id - other.id);
};

export const paymentsOf = (db: Queryable, chain: Ticker, txids: readonly string[]): Promise<readonly Payment[]> =>
  txids.length === 0 ? Promise.resolve([]) : select(db, 'chain = $1 AND txid = ANY ($2::text[])', [chain, txids]);

export const paymentsIn = (db: Queryable, chain: Ticker, state: 'waiting' | 'mined'): Promise<readonly Payment[]> =>
  select(db, `chain = $1 AND state = '${state}'`, [chain]);

export const paymentsOfBlock = (db: Queryable, chain: Ticker, height: number): Promise<readonly Payment[]> =>
  select(db, 'chain = $1 AND block_height = $2', [chain, height]);

/** Those that the log alone knows. */
export const paymentsOfLog = (db: Queryable, chain: Ticker): Promise<readonly Payment[]> =>
  select(db, 'chain = $1 AND is_of_log', [chain]);

const UNCONFIRMED = `chain = $1 AND (state = 'waiting' OR state = 'mined') AND NOT is_dust`;

export const unjudged = (db: Queryable, chain: Ticker): Promise<readonly Payment[]> =>
  select(db, `${UNCONFIRMED} AND NOT is_judged AND NOT is_of_log AND deposit_id IS NOT NULL`, [chain]);

/** In a block or in none, and not told to be confirmed. */
export const unconfirmedOf = (db: Queryable, chain: Ticker, depositId: number): Promise<readonly Payment[]> =>
  select(db, `${UNCONFIRMED} AND deposit_id = $2`, [chain, depositId]);

/** A transaction as it was seen; null where no node had it. */
export const rawOf = async (db: Queryable, chain: Ticker, txid: string): Promise<string | null> => {
  const { rows } = await db.query<{ raw: string }>(
    'SELECT raw FROM chain_payments WHERE chain = $1 AND txid = $2 AND raw IS NOT NULL ORDER BY id LIMIT 1',
    [chain, txid],
  );
  return rows[0]?.raw ?? null;
};

/** What was too small to be told of counts, and its story begins: what was confirmed without a word is confirmed anew. */
export const countDust = async (db: Queryable, id: number): Promise<Payment> => {
  const [counted] = await change(
    db,
    `is_dust = false, epoch = epoch + 1, is_judged = false,
     state = CASE WHEN state = 'confirmed' THEN 'mined' ELSE state END WHERE id = $1`,
    [id],
  );
  if (!counted) throw new Error('a payment was not counted');
  return counted;
};

export type Placed = { readonly payment: Payment; readonly replaceable: boolean };

/** Where they are now; `epoch` rises where one was given up before. */
export const placePayments = async (
  db: Queryable,
  placed: readonly Placed[],
  block: { readonly hash: string; readonly height: number } | undefined,
): Promise<readonly Payment[]> => {
  if (placed.length === 0) return [];
  return change(
    db,
    `state = $1, block_hash = $2, block_height = $3, epoch = epoch + begins_anew::int,
     is_judged = is_judged AND NOT begins_anew, doubted_since = CASE WHEN NOT begins_anew THEN doubted_since END,
     replaceable = replaceable OR is_replaceable,
     vanished_at = NULL, refused_since = NULL, denied_since = NULL, replaced_by = NULL
     FROM unnest($4::bigint[], $5::boolean[], $6::boolean[]) AS placed (payment_id, begins_anew, is_replaceable)
     WHERE id = payment_id`,
    [
      ...[block ? 'mined' : 'waiting', block?.hash ?? null, block?.height ?? null],
      placed.map(({ payment }) => payment.id),
      placed.map(({ payment: { state } }) => state === 'dropped' || state === 'replaced'),
      placed.map(({ replaceable }) => replaceable),
    ],
  );
};

/**
 * Back to waiting; answers with them as they were. The guards let pass what was in a block, and judge it anew; of what
 * was told to be confirmed the reorganisation itself is told.
 */
export const unmine = async (db: Queryable, ids: readonly number[], now: Date): Promise<readonly Payment[]> => {
  if (ids.length === 0) return [];
  const before = await select(db, 'id = ANY ($1::bigint[])', [ids]);
  await change(
    db,
    `state = 'waiting', block_hash = NULL, block_height = NULL, epoch = epoch + 1, denied_since = NULL,
       is_judged = state = 'confirmed',
       doubted_since = CASE WHEN is_judged AND state = 'mined' THEN $2::timestamptz ELSE doubted_since END
     WHERE id = ANY ($1::bigint[])`,
    [ids, now],
  );
  return before;
};

export const paymentsAbove = (db: Queryable, chain: Ticker, height: number): Promise<readonly Payment[]> =>
  select(db, 'chain = $1 AND block_height > $2', [chain, height]);

export const confirmPayments = (db: Queryable, ids: readonly number[]): Promise<readonly Payment[]> =>
  change(db, `state = 'confirmed', is_alone = false WHERE state = 'mined' AND id = ANY ($1::bigint[])`, [ids]);

/** One that was given up may come back until something takes its place. */
export const replacePayments = (
  db: Queryable,
  chain: Ticker,
  txid: string,
  replacedBy: string,
): Promise<readonly Payment[]> =>
  change(
    db,
    `state = 'replaced', replaced_by = $3 WHERE chain = $1 AND txid = $2 AND state IN ('waiting', 'dropped')`,
    [chain, txid, replacedBy],
  );

export const dropPayments = (db: Queryable, ids: readonly number[]): Promise<readonly Payment[]> =>
  change(db, `state = 'dropped' WHERE id = ANY ($1::bigint[]) AND state = 'waiting'`, [ids]);
