import type { TransactionFlag, TransactionStatus, TransactionView } from '#legacy-transactions';
import { type DecimalText, type LegacyCurrency, wireNumberOf } from '#money';

/** A row with the e-mail that is kept beside the log. */
export type TransactionRow = {
  readonly id: number;
  readonly affiliate_id: number;
  readonly currency: LegacyCurrency;
  readonly wallet: string;
  readonly label: string;
  readonly usd_amount: DecimalText;
  readonly crypto_amount: DecimalText;
  readonly market_rate: string;
  readonly confirmed_crypto: DecimalText | null;
  readonly status: TransactionStatus;
  readonly flags: readonly TransactionFlag[];
  readonly settlement_batch_id: string | null;
  readonly created_at: Date;
  readonly times_out_at: Date;
  readonly updated_at: Date;
  readonly revision: number;
  readonly email: string | null;
};

export const SELECT = `
  SELECT t.*, c.email FROM legacy_transactions t LEFT JOIN legacy_contacts c ON c.transaction_id = t.id`;

export const viewOfRow = (row: TransactionRow): TransactionView => ({
  transaction_id: row.id,
  description: row.label,
  wallet_address: row.wallet,
  crypto_amount: wireNumberOf(row.crypto_amount),
  usd_amount: wireNumberOf(row.usd_amount),
  created_at: row.created_at.toISOString(),
  label: row.label,
  crypto_currency: row.currency,
  status: row.status,
});

/** What operators see beside what the partner sees. */
export const operatorViewOfRow = (row: TransactionRow) => ({
  ...viewOfRow(row),
  email: row.email,
  affiliate_id: row.affiliate_id,
  market_rate: row.market_rate,
  confirmed_crypto: row.confirmed_crypto === null ? null : wireNumberOf(row.confirmed_crypto),
  flags: [...row.flags],
  settlement_batch_id: row.settlement_batch_id,
  times_out_at: row.times_out_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export type OperatorTransaction = ReturnType<typeof operatorViewOfRow>;
