import { paymentStatuses } from '#deposits';
import { Int, Num, Text, Word } from '#door/fields';
import { tickers } from '#money';
import { EventName, TestMark, Timestamp } from './fields.ts';

/** Transactions of the older interface end in words of their own. */
const statuses = [...paymentStatuses, 'Succeeded', 'Cancelled'] as const;

/** What the generic events tell: the payment alone. */
export class TransactionWebhook {
  @EventName()
  event!: string;

  @Int('The payment; 0 on test events', 1021)
  transaction_id!: number;

  @Int.orNull('The deposit; null for a transaction of the older interface, 0 on test events', 1021)
  deposit_id!: number | null;

  @Int.orNull('The casino; null for a transaction of the older interface', 41)
  entity_id!: number | null;

  @Text.orNull("The casino's external_code", 'aurora')
  entity_external_code!: string | null;

  @Word(statuses, 'Payment status', 'Confirmed')
  status!: string;

  @Word(tickers, 'Of the payment', 'BTC')
  currency!: string;

  @Num('At most 8 decimals', 0.00171718)
  crypto_amount!: number;

  @Num.orNull('Received on chain so far', 0.00171718)
  confirmed_crypto!: number | null;

  @Num('What the player pays in all', 102)
  usd_amount!: number;

  @Timestamp()
  timestamp!: number;

  @TestMark()
  test?: true;
}

export class RefundWebhook extends TransactionWebhook {
  @Int('The return; 0 on test events', 7)
  return_id!: number;

  @Text('The transaction that sends the crypto back')
  refund_txid!: string;
}
