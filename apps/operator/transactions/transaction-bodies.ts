import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { AffiliatePageQuery, numberIn, PageBody, pageIn } from '#door/lists';
import { IsText, Optional, OptionalOrNull } from '#door/rules';
import {
  type TransactionFlag,
  type TransactionStatus,
  transactionFlags,
  transactionStatuses,
} from '#legacy-transactions';
import { type LegacyCurrency, legacyCurrencies } from '#money';
import type { TransactionFilters } from '#read-models/legacy-transactions';

const flags = ['true', 'false'] as const;

export class TransactionsQuery extends AffiliatePageQuery {
  @Optional()
  @IsIn(transactionStatuses)
  @ApiProperty({ type: String, required: false, enum: transactionStatuses, description: 'Those of one status' })
  status?: TransactionStatus;

  @Optional()
  @IsIn(legacyCurrencies)
  @ApiProperty({ type: String, required: false, enum: legacyCurrencies, description: 'Those of one currency' })
  currency?: LegacyCurrency;

  @Optional()
  @IsIn(flags)
  @ApiProperty({
    type: String,
    required: false,
    enum: flags,
    description: 'true: those that have to be looked at; false: the others',
  })
  flagged?: (typeof flags)[number];
}

export const filtersIn = (query: TransactionsQuery): TransactionFilters => ({
  ...pageIn(query),
  affiliateId: numberIn(query.affiliate_id),
  status: query.status,
  currency: query.currency,
  flagged: query.flagged === undefined ? undefined : query.flagged === 'true',
});

const Time = (description: string, example: string) =>
  ApiProperty({ type: String, format: 'date-time', description, example });

export class OperatorTransactionBody {
  @ApiProperty({ type: 'integer', description: 'Of the transaction', example: 1021 })
  transaction_id!: number;

  @ApiProperty({ type: 'integer', description: 'Whose it is', example: 3 })
  affiliate_id!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Of whoever pays; null once erased', example: null })
  email!: string | null;

  @ApiProperty({ type: String, description: 'The label', example: 'order 12' })
  description!: string;

  @ApiProperty({ type: String, description: 'As the partner sent it', example: 'order 12' })
  label!: string;

  @ApiProperty({ type: String, description: 'Where to pay', example: 'XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5' })
  wallet_address!: string;

  @ApiProperty({ type: String, enum: legacyCurrencies, description: 'Of the payment', example: 'DASH' })
  crypto_currency!: LegacyCurrency;

  @ApiProperty({ type: Number, description: 'What has to be paid', example: 3.33333334 })
  crypto_amount!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'What is there; null: nothing', example: 3.33333334 })
  confirmed_crypto!: number | null;

  @ApiProperty({ type: Number, description: 'What that was in USD', example: 100 })
  usd_amount!: number;

  @ApiProperty({ type: String, description: 'Decimal string: USD a coin', example: '30' })
  market_rate!: string;

  @ApiProperty({ type: String, enum: transactionStatuses, description: 'How far it is', example: 'Pending' })
  status!: TransactionStatus;

  @ApiProperty({
    type: String,
    enum: transactionFlags,
    isArray: true,
    description: 'What an operator has to look at',
    example: ['late_payment'],
  })
  flags!: TransactionFlag[];

  @ApiProperty({ type: String, nullable: true, description: 'The batch that settled it', example: null })
  settlement_batch_id!: string | null;

  @Time('When it was made', '2026-01-01T00:00:00.000Z')
  created_at!: string;

  @Time('Until when it waits', '2026-01-01T00:15:00.000Z')
  times_out_at!: string;

  @Time('When its last event was recorded', '2026-01-01T00:04:00.000Z')
  updated_at!: string;
}

export class TransactionsBody extends PageBody {
  @ApiProperty({ type: [OperatorTransactionBody], description: 'Newest first' })
  transactions!: readonly OperatorTransactionBody[];
}

export class SettleBody {
  @OptionalOrNull()
  @IsText({ max: 1_000 })
  @ApiProperty({ type: String, required: false, nullable: true, description: 'Why', example: 'agreed by phone' })
  note?: string | null;
}
