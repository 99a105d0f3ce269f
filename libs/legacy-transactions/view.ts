import { wireNumberOf as wire } from '#money';
import type { LegacyTransaction } from './state.ts';

/** What a partner reads of a transaction; the e-mail is kept beside the log. */
export const transactionView = ({ terms, standing }: LegacyTransaction) => ({
  transaction_id: terms.transactionId,
  description: terms.label,
  wallet_address: terms.wallet,
  crypto_amount: wire(terms.cryptoAmount),
  usd_amount: wire(terms.usdAmount),
  created_at: terms.startedAt,
  label: terms.label,
  crypto_currency: terms.currency,
  status: standing.status,
});

export type TransactionView = ReturnType<typeof transactionView>;
