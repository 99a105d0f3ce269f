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
};

type Row = Omit<Payment, 'amount'> & { readonly amount: string };

/** Without the transaction itself: it may be large, and pay thousands of outputs of ours. */
const COLUMNS = `id, chain, txid, vout, script, amount::text, epoch, deposit_id AS "depositId",
  transaction_id AS "transactionId", state, is_dust AS "isDust", block_hash AS "blockHash",
  block_height AS "blockHeight", replaceable, is_coinbase AS "isCoinbase", doubted_since AS "doubtedSince",
  seen_at AS "seenAt", refused_since AS "refusedSince", refused_at AS "refusedAt", shown_in AS "shownIn"`;

const paymentOf = (row: Row): Payment => ({ ...row, amount: BigInt(row.amount) });

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

const UNCONFIRMED = `chain = $1 AND (state = 'waiting' OR state = 'mined') AND NOT is_dust`;

export const unjudged = (db: Queryable, chain: Ticker): Promise<readonly Payment[]> =>
  select(db, `${UNCONFIRMED} AND NOT is_judged AND deposit_id IS NOT NULL`, [chain]);

/** In a block or in none, and not told to be confirmed. */
export const unconfirmedOf = (db: Queryable, chain: Ticker, depositId: number): Promise<readonly Payment[]> =>
  select(db, `${UNCONFIRMED} AND deposit_id = $2`, [chain, depositId]);

export type NewPayment = Pick<
  Payment,
  | 'chain'
  | 'txid'
  | 'vout'
  | 'script'
  | 'amount'
  | 'depositId'
  | 'transactionId'
  | 'isDust'
  | 'replaceable'
  | 'isCoinbase'
> & {
  readonly isAlone: boolean;
  /** The transaction, to submit it again; kept with one of its outputs. */
  readonly raw: string | null;
  readonly block: { readonly hash: string; readonly height: number } | undefined;
  readonly seenAt: Date;
};

/** A transaction as it was seen; null where no node had it. */
export const rawOf = async (db: Queryable, chain: Ticker, txid: string): Promise<string | null> => {
  const { rows } = await db.query<{ raw: string }>(
    'SELECT raw FROM chain_payments WHERE chain = $1 AND txid = $2 AND raw IS NOT NULL ORDER BY id LIMIT 1',
    [chain, txid],
  );
  return rows[0]?.raw ?? null;
};

const INSERT = `
  INSERT INTO chain_payments (chain, txid, vout, script, amount, deposit_id, transaction_id, is_dust, replaceable, raw,
    seen_at, state, block_hash, block_height, is_coinbase, is_alone)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  RETURNING ${COLUMNS}`;

export const addPayment = async (db: Queryable, payment: NewPayment): Promise<Payment> => {
  const { chain, txid, vout, script, amount, depositId, transactionId, isDust, replaceable, raw, seenAt } = payment;
  const { rows } = await db.query<Row>(INSERT, [
    ...[chain, txid, vout, script, amount.toString(), depositId, transactionId, isDust, replaceable, raw, seenAt],
    ...[payment.block ? 'mined' : 'waiting', payment.block?.hash ?? null, payment.block?.height ?? null],
    ...[payment.isCoinbase, payment.isAlone],
  ]);
  const [row] = rows;
  if (!row) throw new Error('a payment was not added');
  return paymentOf(row);
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

/** Where it is now; `epoch` rises when it was given up before. */
export const placePayment = async (
  db: Queryable,
  payment: Payment,
  block: { readonly hash: string; readonly height: number } | undefined,
  replaceable: boolean,
): Promise<Payment> => {
  const wasGivenUp = payment.state === 'dropped' || payment.state === 'replaced';
  const [placed] = await change(
    db,
    `state = $2, block_hash = $3, block_height = $4, epoch = epoch + $5, is_judged = is_judged AND $5 = 0,
     doubted_since = CASE WHEN $5 = 0 THEN doubted_since END, replaceable = replaceable OR $6,
     vanished_at = NULL, refused_since = NULL, denied_since = NULL, replaced_by = NULL WHERE id = $1`,
    [
      ...[payment.id, block ? 'mined' : 'waiting', block?.hash ?? null, block?.height ?? null],
      ...[wasGivenUp ? 1 : 0, replaceable],
    ],
  );
  if (!placed) throw new Error('a payment was not placed');
  return placed;
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
