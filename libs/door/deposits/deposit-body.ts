import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import {
  type DepositDecision,
  depositDecisions,
  type KytStatus,
  kytStatuses,
  type NoConfState,
  noConfStates,
  type OfacStatus,
  ofacStatuses,
  type PaymentStatus,
  paymentStatuses,
} from '#deposits';
import { type Currency, currencies } from '#money';
import type { DepositObject } from '#read-models/deposits';
import { AmountsBody } from './amounts-body.ts';
import { EchoedBody } from './echoed-body.ts';

const time = (description: string, example: string | null, nullable = true) =>
  ApiProperty({ type: String, format: 'date-time', nullable, description, example });

/** The Deposit object. Every key but late_payment is always there, null where it does not apply. */
export class DepositBody extends IntersectionType(AmountsBody, EchoedBody) {
  @ApiProperty({ type: 'integer', description: 'The same as deposit_id', example: 1021 })
  id!: number;

  @ApiProperty({ type: 'integer', description: 'The underlying payment', example: 1021 })
  transaction_id!: number;

  @ApiProperty({ type: 'integer', description: 'The casino', example: 1 })
  entity_id!: number;

  @ApiProperty({ type: String, description: 'As sent', example: 'p-1021' })
  gambler_ref!: string;

  @time('When the quote was made', '2026-01-01T00:00:00.000Z', false)
  created_at!: string;

  @time('When its last event was recorded', '2026-01-01T00:04:00.000Z')
  updated_at!: string | null;

  @ApiProperty({ type: String, enum: currencies, description: 'Of the deposit', example: 'BTC' })
  currency!: Currency;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Deposit address; null until there is one',
    example: 'bc1q-the-address-of-this-deposit',
  })
  wallet!: string | null;

  @ApiProperty({ type: String, enum: paymentStatuses, description: 'Payment status', example: 'Confirmed' })
  status!: PaymentStatus;

  @ApiProperty({
    type: Boolean,
    enum: [true],
    required: false,
    description: 'Only on a restored late deposit; absent otherwise',
  })
  late_payment?: true;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Received on chain; null before a payment is seen',
    example: 0.00171718,
  })
  confirmed_crypto!: number | null;

  @time('End of the quote; a payment seen before it is honoured', '2026-01-01T00:30:00.000Z', false)
  expires_at!: string;

  @time('Fast deposits only', null)
  double_spent_at!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Fast deposits only: the replacing transaction',
    example: null,
  })
  double_spend_txid!: string | null;

  @ApiProperty({ type: String, description: 'Decimal string: USD a coin, spreads included', example: '59400' })
  crypto_rate!: DepositObject['crypto_rate'];

  @ApiProperty({
    type: String,
    description: 'Decimal string: market USD a coin at the quote, or at a late accept',
    example: '60000',
  })
  market_rate!: DepositObject['market_rate'];

  @ApiProperty({ type: String, enum: depositDecisions, description: 'Made once, and final', example: 'accepted' })
  decision!: DepositDecision;

  @time('null while pending', '2026-01-01T00:04:00.000Z')
  decision_at!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Only when returned', example: null })
  return_address!: string | null;

  @ApiProperty({
    type: Boolean,
    description: 'Snapshot: whether an accept would find the deposit ready, whatever its amount',
    example: false,
  })
  acceptable!: boolean;

  @ApiProperty({
    type: String,
    enum: kytStatuses,
    nullable: true,
    description: 'null before screening',
    example: 'passed',
  })
  kyt_status!: KytStatus | null;

  @ApiProperty({ type: String, nullable: true, description: 'Decimal string', example: '0.12' })
  kyt_risk_score!: DepositObject['kyt_risk_score'];

  @time('When the KYT result came', '2026-01-01T00:02:10.000Z')
  kyt_checked_at!: string | null;

  @ApiProperty({
    type: String,
    enum: ofacStatuses,
    description: 'timed_out: the deadline was missed and screening goes on',
    example: 'clear',
  })
  ofac_status!: OfacStatus;

  @ApiProperty({ type: Boolean, description: 'Created with no_conf or instant', example: false })
  no_conf!: boolean;

  @ApiProperty({
    type: String,
    enum: noConfStates,
    nullable: true,
    description: 'null on standard deposits and before a payment is seen',
    example: null,
  })
  no_conf_state!: NoConfState | null;

  @ApiProperty({ type: Boolean, description: 'Created with instant', example: false })
  instant!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'More was received than the instant ceiling: it waits for KYT',
    example: false,
  })
  instant_downgraded!: boolean;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Instant deposits only: the ceiling in USD',
    example: null,
  })
  instant_received_max_usd!: number | null;
}
