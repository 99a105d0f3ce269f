import { IntersectionType } from '@nestjs/swagger';
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
import { Flag, Int, Num, Text, Time, Word } from '../fields/index.ts';
import { AmountsBody } from './amounts-body.ts';
import { EchoedBody } from './echoed-body.ts';

/** The Deposit object. Every key but late_payment is always there, null where it does not apply. */
export class DepositBody extends IntersectionType(AmountsBody, EchoedBody) {
  @Int('The same as deposit_id', 1021)
  id!: number;

  @Int('The underlying payment', 1021)
  transaction_id!: number;

  @Int('The casino', 1)
  entity_id!: number;

  @Text('As sent', 'p-1021')
  gambler_ref!: string;

  @Time('When the quote was made', '2026-01-01T00:00:00.000Z')
  created_at!: string;

  @Time.orNull('When its last event was recorded', '2026-01-01T00:04:00.000Z')
  updated_at!: string | null;

  @Word(currencies, 'Of the deposit', 'BTC')
  currency!: Currency;

  @Text.orNull('Deposit address; null until there is one', 'bc1q-the-address-of-this-deposit')
  wallet!: string | null;

  @Word(paymentStatuses, 'Payment status', 'Confirmed')
  status!: PaymentStatus;

  @Flag.optional('Only on a restored late deposit; absent otherwise', undefined, { enum: [true] })
  late_payment?: true;

  @Num.orNull('Received on chain; null before a payment is seen', 0.00171718)
  confirmed_crypto!: number | null;

  @Time('End of the quote; a payment seen before it is honoured', '2026-01-01T00:30:00.000Z')
  expires_at!: string;

  @Time.orNull('Fast deposits only', null)
  double_spent_at!: string | null;

  @Text.orNull('Fast deposits only: the replacing transaction', null)
  double_spend_txid!: string | null;

  @Text('Decimal string: USD a coin, spreads included', '59400')
  crypto_rate!: DepositObject['crypto_rate'];

  @Text('Decimal string: market USD a coin at the quote, or at a late accept', '60000')
  market_rate!: DepositObject['market_rate'];

  @Word(depositDecisions, 'Made once, and final', 'accepted')
  decision!: DepositDecision;

  @Time.orNull('null while pending', '2026-01-01T00:04:00.000Z')
  decision_at!: string | null;

  @Text.orNull('Only when returned', null)
  return_address!: string | null;

  @Flag('Snapshot: whether an accept would find the deposit ready, whatever its amount', false)
  acceptable!: boolean;

  @Word.orNull(kytStatuses, 'null before screening', 'passed')
  kyt_status!: KytStatus | null;

  @Text.orNull('Decimal string', '0.12')
  kyt_risk_score!: DepositObject['kyt_risk_score'];

  @Time.orNull('When the KYT result came', '2026-01-01T00:02:10.000Z')
  kyt_checked_at!: string | null;

  @Word(ofacStatuses, 'timed_out: the deadline was missed and screening goes on', 'clear')
  ofac_status!: OfacStatus;

  @Flag('Created with no_conf or instant', false)
  no_conf!: boolean;

  @Word.orNull(noConfStates, 'null on standard deposits and before a payment is seen', null)
  no_conf_state!: NoConfState | null;

  @Flag('Created with instant', false)
  instant!: boolean;

  @Flag('More was received than the instant ceiling: it waits for KYT', false)
  instant_downgraded!: boolean;

  @Num.orNull('Instant deposits only: the ceiling in USD', null)
  instant_received_max_usd!: number | null;
}
