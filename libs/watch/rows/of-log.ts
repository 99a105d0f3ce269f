import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { NewPayment } from './add-payments.ts';
import type { Payment } from './payments.ts';

/** Undefined: this database knows of nothing that was told. */
export const readLogMark = async (db: Queryable, chain: Ticker): Promise<string | undefined> => {
  const { rows } = await db.query<{ position: string }>('SELECT position FROM chain_logs WHERE chain = $1', [chain]);
  return rows[0]?.position;
};

/** From where it stood: false where that is not so any more, as in a database that was put back meanwhile. */
export const moveLogMark = async (
  db: Queryable,
  chain: Ticker,
  from: string | undefined,
  to: string,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    from === undefined
      ? 'INSERT INTO chain_logs (chain, position) VALUES ($1, $2) ON CONFLICT DO NOTHING'
      : 'UPDATE chain_logs SET position = $2 WHERE chain = $1 AND position = $3',
    from === undefined ? [chain, to] : [chain, to, from],
  );
  return rowCount === 1;
};

export type OfLog = Omit<NewPayment, 'isDust' | 'isCoinbase' | 'isAlone' | 'raw' | 'block'> &
  Pick<Payment, 'epoch' | 'state' | 'blockHash' | 'blockHeight' | 'isOfLog'> & { readonly replacedBy: string | null };

const ADD = `
  INSERT INTO chain_payments (chain, txid, vout, script, amount, deposit_id, transaction_id, is_dust, replaceable, seen_at,
    epoch, state, block_hash, block_height, replaced_by, is_of_log)
  VALUES ($1, $2, $3, $4, $5, $6, $7, false, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT DO NOTHING`;

const SET = `
  UPDATE chain_payments SET epoch = $3, state = $4, block_hash = $5, block_height = $6, replaced_by = $7, is_of_log = $8,
    is_dust = false, is_alone = false, is_judged = false, doubted_since = NULL,
    vanished_at = NULL, refused_since = NULL, refused_at = NULL, denied_since = NULL
  WHERE id = $1 AND (epoch, state) = ($2, $9)`;

/** As it was told last; false where its row is another by now than the one that was read. */
export const takeFromLog = async (db: Queryable, payment: OfLog, row: Payment | undefined): Promise<boolean> => {
  const { chain, txid, vout, script, amount, depositId, transactionId, replaceable, seenAt } = payment;
  const { epoch, state, blockHash, blockHeight, replacedBy, isOfLog } = payment;
  const said = [state, blockHash, blockHeight, replacedBy, isOfLog];
  const { rowCount } = row
    ? await db.query(SET, [row.id, row.epoch, epoch, ...said, row.state])
    : await db.query(ADD, [
        ...[chain, txid, vout, script, amount.toString(), depositId, transactionId, replaceable, seenAt, epoch],
        ...said,
      ]);
  return rowCount === 1;
};

/** When the first of those that the log alone knows was seen. */
export const firstOfLog = async (db: Queryable, chain: Ticker): Promise<Date | undefined> =>
  (
    await db.query<{ at: Date | null }>(
      'SELECT min(seen_at) AS at FROM chain_payments WHERE chain = $1 AND is_of_log',
      [chain],
    )
  ).rows[0]?.at ?? undefined;

/** Those of which the block was told, and never applied here: it is not given up with those that were. */
export const unappliedOfLog = async (db: Queryable, chain: Ticker): Promise<ReadonlySet<number>> => {
  const { rows } = await db.query<{ id: number }>(
    `SELECT id FROM chain_payments p WHERE chain = $1 AND is_of_log AND block_hash IS NOT NULL AND NOT EXISTS (
       SELECT FROM chain_blocks b WHERE b.chain = p.chain AND b.height = p.block_height AND b.hash = p.block_hash)`,
    [chain],
  );
  return new Set(rows.map(({ id }) => id));
};

export const markFound = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return;
  await db.query('UPDATE chain_payments SET is_of_log = false WHERE id = ANY ($1::bigint[])', [ids]);
};

/** A node shows it, with what the log does not keep. */
export const completeFromNode = async (
  db: Queryable,
  id: number,
  {
    raw,
    isCoinbase,
    isAlone,
  }: { readonly raw: string | null; readonly isCoinbase: boolean; readonly isAlone: boolean },
): Promise<void> => {
  await db.query(
    'UPDATE chain_payments SET is_of_log = false, raw = $2, is_coinbase = $3, is_alone = $4 WHERE id = $1',
    [...[id, raw, isCoinbase, isAlone]],
  );
};
