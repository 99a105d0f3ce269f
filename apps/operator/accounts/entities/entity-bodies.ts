import { ApiProperty } from '@nestjs/swagger';
import { PageBody } from '#door/lists';
import { casinoStatuses, keyModes } from '#partners';
import { WebhookBody } from '../webhook/webhook-bodies.ts';
import { FeeLineBody } from './fee-line-body.ts';

export class InstantCapsBody {
  @ApiProperty({ type: Number, description: 'Most that a first instant deposit may be quoted at', example: 500 })
  first_usd!: number;

  @ApiProperty({
    type: Number,
    description: 'The same for a player who had a deposit accepted and confirmed',
    example: 1500,
  })
  returning_usd!: number;

  @ApiProperty({
    type: Number,
    description: 'Most that may come in for a first one; above it waits for KYT',
    example: 600,
  })
  received_first_usd!: number;

  @ApiProperty({ type: Number, description: 'The same for a returning player', example: 1600 })
  received_returning_usd!: number;
}

export class EntityBody {
  @ApiProperty({ type: Number, example: 41 })
  id!: number;

  @ApiProperty({ type: Number, description: 'The partner account', example: 3 })
  affiliate_id!: number;

  @ApiProperty({ type: String, example: 'Aurora Casino' })
  name!: string;

  @ApiProperty({
    type: String,
    description: 'Told by webhooks as entity_external_code',
    nullable: true,
    example: 'aurora',
  })
  external_code!: string | null;

  @ApiProperty({
    type: String,
    description: 'enabled and active are the same; disabled: no new deposits, no list',
    enum: casinoStatuses,
    example: 'enabled',
  })
  status!: string;

  @ApiProperty({
    type: String,
    description: 'test: its deposits are left out of settlement',
    enum: keyModes,
    example: 'live',
  })
  mode!: string;

  @ApiProperty({ type: Boolean, description: 'Whether deposits may be accepted before confirmation', example: false })
  no_conf_allowed!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'Whether deposits may be accepted before KYT; needs no_conf_allowed too',
    example: false,
  })
  instant_allowed!: boolean;

  @ApiProperty({ type: InstantCapsBody, description: 'Limits of instant deposits' })
  instant_caps!: InstantCapsBody;

  @ApiProperty({ type: [FeeLineBody], nullable: true, description: 'null: not configured' })
  fees!: FeeLineBody[] | null;

  @ApiProperty({
    type: WebhookBody,
    description: 'null: that of a key that covers it, if there is one',
    nullable: true,
  })
  webhook!: WebhookBody | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;
}

export class ChangedEntityBody extends EntityBody {
  @ApiProperty({ type: String, required: false, description: 'When one was made: shown this once', example: 'kZ2v…' })
  webhook_secret?: string;

  @ApiProperty({
    type: [String],
    description: 'What is wrong with the fees: until it is mended, the deposit call answers 500',
    example: ['fees[0]: percent must be a fraction of at least 0 and below 1'],
  })
  warnings!: string[];
}

export class EntitiesBody extends PageBody {
  @ApiProperty({ type: [EntityBody] })
  entities!: EntityBody[];
}
