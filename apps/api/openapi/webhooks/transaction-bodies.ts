import { ApiProperty } from '@nestjs/swagger';
import { paymentStatuses } from '#deposits';
import { tickers } from '#money';
import { EventName, TestMark, Timestamp } from './fields.ts';

/** Transactions of the older interface end in words of their own. */
const statuses = [...paymentStatuses, 'Succeeded', 'Cancelled'] as const;

/** What the generic events tell: the payment alone. */
export class TransactionWebhook {
  @EventName()
  event!: string;

  @ApiProperty({ type: 'integer', description: 'The payment; 0 on test events', example: 1021 })
  transaction_id!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The deposit; null for a transaction of the older interface, 0 on test events',
    example: 1021,
  })
  deposit_id!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The casino; null for a transaction of the older interface',
    example: 41,
  })
  entity_id!: number | null;

  @ApiProperty({ type: String, nullable: true, description: "The casino's external_code", example: 'aurora' })
  entity_external_code!: string | null;

  @ApiProperty({ type: String, enum: statuses, description: 'Payment status', example: 'Confirmed' })
  status!: string;

  @ApiProperty({ type: String, enum: tickers, description: 'Of the payment', example: 'BTC' })
  currency!: string;

  @ApiProperty({ type: Number, description: 'At most 8 decimals', example: 0.00171718 })
  crypto_amount!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Received on chain so far', example: 0.00171718 })
  confirmed_crypto!: number | null;

  @ApiProperty({ type: Number, description: 'What the player pays in all', example: 102 })
  usd_amount!: number;

  @Timestamp()
  timestamp!: number;

  @TestMark()
  test?: true;
}

export class RefundWebhook extends TransactionWebhook {
  @ApiProperty({ type: 'integer', description: 'The return; 0 on test events', example: 7 })
  return_id!: number;

  @ApiProperty({ type: String, description: 'The transaction that sends the crypto back' })
  refund_txid!: string;
}
