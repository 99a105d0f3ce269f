import { type Position, parsePosition } from '#event-log';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import { COLUMNS, type Payment, type PaymentState, paymentOf, type Row } from './payments.ts';

/** Undefined: this database knows of nothing that was told. */
export const readLogMark = async (db: Queryable, chain: Ticker): Promise<Position | undefined> => {
  const { rows } = await db.query<{ position: string }>('SELECT position FROM chain_logs WHERE chain = $1', [chain]);
  return rows[0] && parsePosition(rows[0].position);
};

/** From where it stood: false where that is not so any more, as in a database that was put back meanwhile. */
export const moveLogMark = async (
  db: Queryable,
  chain: Ticker,
  from: Position | undefined,
  to: Position,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    from === undefined
      ? 'INSERT INTO chain_logs (chain, position) VALUES ($1, $2) ON CONFLICT DO NOTHING'
      : 'UPDATE chain_logs SET position = $2 WHERE chain = $1 AND position = $3',
    from === undefined ? [chain, to] : [chain, to, from],
  );
  return rowCount === 1;
};

export type OfLog = Pick<
  Payment,
  | 'chain'
  | 'txid'
  | 'vout'
  | 'script'
  | 'amount'
  | 'epoch'
  | 'depositId'
  | 'transactionId'
  | 'replaceable'
  | 'seenAt'
  | 'blockHash'
  | 'blockHeight'
> & { readonly state: Exclude<PaymentState, 'mined'>; readonly replacedBy: string | null };

/** As it was told last. What is over needs no node to say so; what is there is to be found. */
export const takeFromLog = async (db: Queryable, payment: OfLog): Promise<void> => {
  const { chain, txid, vout, script, amount, epoch, depositId, transactionId } = payment;
  const { state, blockHash, blockHeight, replacedBy, replaceable, seenAt } = payment;
  await db.query(
    `INSERT INTO chain_payments AS p (chain, txid, vout, script, amount, epoch, deposit_id, transaction_id, is_dust, state,
       block_hash, block_height, replaced_by, replaceable, seen_at, is_of_log)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false, $9, $10, $11, $12, $13, $14, $9 IN ('waiting', 'confirmed'))
     ON CONFLICT (chain, txid, vout, script) DO UPDATE SET epoch = excluded.epoch, is_dust = false, is_alone = false,
       state = excluded.state, block_hash = excluded.block_hash, block_height = excluded.block_height,
       replaced_by = excluded.replaced_by, is_of_log = excluded.is_of_log, is_judged = false, doubted_since = NULL,
       vanished_at = NULL, refused_since = NULL, refused_at = NULL, denied_since = NULL`,
    [
      ...[chain, txid, vout, script, amount.toString(), epoch, depositId, transactionId],
      ...[state, blockHash, blockHeight, replacedBy, replaceable, seenAt],
    ],
  );
};

export const paymentsOfLog = async (db: Queryable, chain: Ticker): Promise<readonly Payment[]> =>
  (
    await db.query<Row>(`SELECT ${COLUMNS} FROM chain_payments WHERE chain = $1 AND is_of_log ORDER BY id`, [chain])
  ).rows.map(paymentOf);

export const markFound = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return;
  await db.query('UPDATE chain_payments SET is_of_log = false WHERE id = ANY ($1::bigint[])', [ids]);
};
