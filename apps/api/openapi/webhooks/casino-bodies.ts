import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { depositDecisions, kytResults, noConfStates, ofacStatuses, paymentStatuses } from '#deposits';
import { AmountsBody, EchoedBody } from '#door/deposits';
import { currencies } from '#money';
import { Address, DecisionTime, EventName, NoConf, TestMark, Timestamp } from './fields.ts';

/** What every event of a casino deposit carries. */
export class CasinoWebhook {
  @EventName()
  event!: string;

  @ApiProperty({ type: 'integer', description: 'The deposit; 0 on test events', example: 1021 })
  deposit_id!: number;

  @ApiProperty({ type: 'integer', description: 'The underlying payment; 0 on test events', example: 1021 })
  transaction_id!: number;

  @ApiProperty({ type: 'integer', description: 'The casino', example: 41 })
  entity_id!: number;

  @ApiProperty({ type: String, nullable: true, description: "The casino's external_code", example: 'aurora' })
  entity_external_code!: string | null;

  @ApiProperty({ type: String, description: 'The player, as sent at creation', example: 'p-1021' })
  gambler_ref!: string;

  @ApiProperty({ type: String, enum: depositDecisions, description: 'As it stood after the event', example: 'pending' })
  decision!: string;

  @ApiProperty({ type: Boolean, description: 'Created with instant', example: false })
  instant!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'More was received than the instant ceiling: it waits for KYT',
    example: false,
  })
  instant_downgraded!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'Snapshot: whether an accept would find the deposit ready, whatever its amount',
    example: true,
  })
  acceptable!: boolean;

  @ApiProperty({ type: Number, description: 'At most 8 decimals', example: 0.00171718 })
  crypto_amount!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Received on chain so far', example: 0.00171718 })
  confirmed_crypto!: number | null;

  @ApiProperty({ type: String, enum: currencies, description: 'Of the deposit', example: 'BTC' })
  currency!: string;

  @Timestamp()
  timestamp!: number;

  @TestMark()
  test?: true;
}

export class PaymentWebhook extends IntersectionType(CasinoWebhook, EchoedBody) {
  @ApiProperty({ type: String, enum: paymentStatuses, description: 'Payment status', example: 'Confirmed' })
  status!: string;

  @Address()
  address!: string | null;

  @ApiProperty({ type: [String], description: 'Transactions of the payments that count, each once' })
  txids!: string[];

  @NoConf()
  no_conf!: boolean;

  @ApiProperty({
    type: String,
    enum: noConfStates,
    nullable: true,
    description: 'null on standard deposits',
    example: null,
  })
  no_conf_state!: string | null;

  @ApiProperty({
    type: Boolean,
    enum: [true],
    required: false,
    description: 'Only on a restored late deposit; absent otherwise',
  })
  late_payment?: true;
}

export class KytWebhook extends CasinoWebhook {
  @ApiProperty({ type: String, enum: kytResults, description: 'The result', example: 'passed' })
  kyt_status!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Decimal string', example: '0.12' })
  kyt_risk_score!: string | null;
}

export class OfacWebhook extends CasinoWebhook {
  @ApiProperty({
    type: String,
    enum: ofacStatuses.filter((status) => status !== 'pending'),
    description: 'timed_out: the deadline was missed and screening goes on; hit after an accept: reverse the credit',
    example: 'clear',
  })
  ofac_result!: string;
}

export class DoubleSpendWebhook extends CasinoWebhook {
  @ApiProperty({ type: String, format: 'date-time', description: 'When it was seen' })
  double_spent_at!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The replacing transaction' })
  double_spend_txid!: string | null;

  @ApiProperty({ type: String, enum: noConfStates, nullable: true, description: 'double_spent from now on' })
  no_conf_state!: string | null;
}

export class AcceptedWebhook extends IntersectionType(CasinoWebhook, AmountsBody, EchoedBody) {
  @DecisionTime()
  decision_at!: string;

  @ApiProperty({ type: Boolean, description: 'Whether it was re-priced to the received amount', example: false })
  adjusted!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Decimal string, spreads included', example: '59400' })
  crypto_rate!: string | null;

  @Address()
  address!: string | null;

  @NoConf()
  no_conf!: boolean;
}

export class ReturnedWebhook extends CasinoWebhook {
  @DecisionTime()
  decision_at!: string;

  @ApiProperty({ type: 'integer', description: 'The queued return', example: 7 })
  return_id!: number;

  @ApiProperty({ type: String, description: 'Where the crypto is sent, as it was asked for' })
  return_address!: string;

  @ApiProperty({ type: String, nullable: true, description: 'As it was given' })
  reason!: string | null;
}

export class FrozenWebhook extends CasinoWebhook {
  @DecisionTime()
  decision_at!: string;
}
