import { ApiProperty } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';
import { PageBody, PageQuery } from '#door/lists';
import { IsDigits, IsId, IsTime, Optional } from '#door/rules';
import { type DeliveryStatus, webhookEvents } from '#webhooks';

const STATUSES = ['pending', 'delivered', 'dead'] as const satisfies readonly DeliveryStatus[];

export class DeliveriesQuery extends PageQuery {
  @Optional()
  @IsDigits()
  @ApiProperty({ type: String, description: 'Those of one deposit', required: false, example: '1001' })
  deposit_id?: string;

  @Optional()
  @IsDigits()
  @ApiProperty({ type: String, description: 'Those of one legacy transaction', required: false, example: '1021' })
  transaction_id?: string;

  @Optional()
  @IsDigits()
  @ApiProperty({
    type: String,
    description: "Those of an affiliate's legacy transactions",
    required: false,
    example: '3',
  })
  affiliate_id?: string;

  @Optional()
  @IsDigits()
  @ApiProperty({ type: String, description: 'Those of one casino', required: false, example: '41' })
  entity_id?: string;

  @Optional()
  @IsIn(STATUSES, { message: `must be one of ${STATUSES.join(', ')}` })
  @ApiProperty({ type: String, description: 'dead: given up after the last retry', enum: STATUSES, required: false })
  status?: DeliveryStatus;
}

export class NewReplayBody {
  @ValidateIf(({ affiliate_id }) => affiliate_id === undefined)
  @IsId()
  @ApiProperty({ type: Number, required: false, description: 'The casino; this or affiliate_id', example: 41 })
  entity_id?: number;

  @Optional()
  @IsId()
  @ApiProperty({ type: Number, required: false, description: 'In place of entity_id: its legacy transactions' })
  affiliate_id?: number;

  @IsTime()
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Everything made from then on is sent again',
    example: '2026-01-02T03:04:05.678Z',
  })
  since!: string;
}

export class ReplayBody {
  @ApiProperty({ type: Number, description: 'How many deliveries are due again', example: 3 })
  replayed!: number;
}

export class AttemptBody {
  @ApiProperty({
    type: String,
    description: 'When it was begun',
    format: 'date-time',
    example: '2026-01-02T03:04:05.678Z',
  })
  at!: string;

  @ApiProperty({ type: Number, nullable: true, description: 'null: no answer came', example: 503 })
  status_code!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why no answer came', example: null })
  error!: string | null;

  @ApiProperty({ type: Number, description: 'Until the answer, or until it was given up', example: 84 })
  duration_ms!: number;
}

export class DeliveryBody {
  @ApiProperty({ type: Number, example: 90210 })
  id!: number;

  @ApiProperty({
    type: String,
    format: 'uuid',
    description: 'X-Webhook-Id: the same on every attempt',
    example: '5f0a7e5e-3b1c-8a52-9d0e-6f1d2c3b4a59',
  })
  webhook_id!: string;

  @ApiProperty({ type: String, description: 'Name of the event', enum: webhookEvents, example: 'deposit.accepted' })
  event!: string;

  @ApiProperty({
    type: Number,
    description: 'null: of a transaction of the older interface',
    nullable: true,
    example: 1001,
  })
  deposit_id!: number | null;

  @ApiProperty({
    type: Number,
    description: 'null: of a transaction of the older interface',
    nullable: true,
    example: 41,
  })
  entity_id!: number | null;

  @ApiProperty({
    type: Number,
    description: 'Of a legacy transaction; null: of a deposit',
    nullable: true,
    example: null,
  })
  transaction_id!: number | null;

  @ApiProperty({
    type: Number,
    description: 'Whose legacy transaction; null: of a deposit',
    nullable: true,
    example: null,
  })
  affiliate_id!: number | null;

  @ApiProperty({ type: String, description: 'Where it went last', example: 'https://casino.example/hooks/deposits' })
  url!: string;

  @ApiProperty({ type: String, description: 'dead: given up after the last retry', enum: STATUSES, example: 'pending' })
  status!: DeliveryStatus;

  @ApiProperty({
    type: String,
    description: 'When it became due',
    format: 'date-time',
    example: '2026-01-02T03:04:05.123Z',
  })
  created_at!: string;

  @ApiProperty({ type: [AttemptBody], description: 'In order' })
  attempts!: readonly AttemptBody[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null: none is planned',
    example: null,
  })
  next_attempt_at!: string | null;
}

export class DeliveriesBody extends PageBody {
  @ApiProperty({ type: [DeliveryBody] })
  deliveries!: readonly DeliveryBody[];
}
