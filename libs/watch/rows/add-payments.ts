import type { Queryable } from '#platform/postgres';
import { COLUMNS, type Payment, paymentOf, type Row } from './payments.ts';

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

const INSERT = `
  INSERT INTO chain_payments (chain, txid, vout, script, amount, deposit_id, transaction_id, is_dust, replaceable, raw,
    seen_at, state, block_hash, block_height, is_coinbase, is_alone)
  SELECT chain, txid, vout, script, amount, deposit_id, transaction_id, is_dust, replaceable, raw,
    seen_at, CASE WHEN block_hash IS NULL THEN 'waiting' ELSE 'mined' END, block_hash, block_height, is_coinbase, is_alone
  FROM ROWS FROM (json_to_recordset($1) AS (chain text, txid text, vout bigint, script text, amount numeric,
    deposit_id bigint, transaction_id bigint, is_dust boolean, replaceable boolean, raw text, seen_at timestamptz,
    block_hash text, block_height bigint, is_coinbase boolean, is_alone boolean)) WITH ORDINALITY
  ORDER BY ordinality
  RETURNING ${COLUMNS}`;

const newRow = ({ chain, txid, vout, script, replaceable, raw, block, ...payment }: NewPayment) => ({
  ...{ chain, txid, vout, script, amount: payment.amount.toString(), replaceable, raw, seen_at: payment.seenAt },
  ...{ deposit_id: payment.depositId, transaction_id: payment.transactionId, is_dust: payment.isDust },
  ...{ block_hash: block?.hash ?? null, block_height: block?.height ?? null },
  ...{ is_coinbase: payment.isCoinbase, is_alone: payment.isAlone },
});

/** Answers with them in their order. */
export const addPayments = async (db: Queryable, payments: readonly NewPayment[]): Promise<readonly Payment[]> => {
  if (payments.length === 0) return [];
  const { rows } = await db.query<Row>(INSERT, [JSON.stringify(payments.map(newRow))]);
  return rows.map(paymentOf).sort((one, other) => one.id - other.id);
};
