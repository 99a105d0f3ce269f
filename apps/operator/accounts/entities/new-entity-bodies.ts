import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, ValidateNested } from 'class-validator';
import { IsId, IsJsonList, IsText, Optional, OptionalOrNull } from '#door/rules';
import { casinoStatuses, keyModes } from '#partners';
import { WebhookSettingsBody } from '../webhook/webhook-bodies.ts';
import { FeeLineBody } from './fee-line-body.ts';
import { InstantCapsChangesBody } from './instant-caps-changes-body.ts';

class EntityFields {
  @OptionalOrNull()
  @IsText({ max: 255 })
  @ApiProperty({
    type: String,
    description: 'Told by webhooks as entity_external_code',
    nullable: true,
    required: false,
    example: 'aurora',
  })
  external_code?: string | null;

  @Optional()
  @IsIn(casinoStatuses)
  @ApiProperty({
    type: String,
    description: 'enabled and active are the same; disabled: no new deposits, no list',
    enum: casinoStatuses,
    required: false,
    default: 'enabled',
  })
  status?: (typeof casinoStatuses)[number];

  @Optional()
  @IsIn(keyModes)
  @ApiProperty({
    type: String,
    description: 'test: its deposits are left out of settlement',
    enum: keyModes,
    required: false,
    default: 'live',
  })
  mode?: (typeof keyModes)[number];

  @Optional()
  @IsBoolean()
  @ApiProperty({
    type: Boolean,
    description: 'Whether deposits may be accepted before confirmation',
    required: false,
    default: false,
  })
  no_conf_allowed?: boolean;

  @Optional()
  @IsBoolean()
  @ApiProperty({
    type: Boolean,
    description: 'Whether deposits may be accepted before KYT; needs no_conf_allowed too',
    required: false,
    default: false,
  })
  instant_allowed?: boolean;

  @OptionalOrNull()
  @IsObject()
  @ValidateNested()
  @Type(() => InstantCapsChangesBody)
  @ApiProperty({
    type: InstantCapsChangesBody,
    nullable: true,
    required: false,
    description: 'null: back to the defaults',
  })
  instant_caps?: InstantCapsChangesBody | null;

  @OptionalOrNull()
  @IsJsonList()
  @ApiProperty({
    type: [FeeLineBody],
    nullable: true,
    required: false,
    description: 'Stored as sent, even when invalid; null: not configured',
  })
  fees?: unknown[] | null;

  @OptionalOrNull()
  @IsObject()
  @ValidateNested()
  @Type(() => WebhookSettingsBody)
  @ApiProperty({ type: WebhookSettingsBody, nullable: true, required: false, description: 'null: none' })
  webhook?: WebhookSettingsBody | null;
}

export class NewEntityBody extends EntityFields {
  @IsId()
  @ApiProperty({ type: Number, description: 'The partner account', example: 3 })
  affiliate_id!: number;

  @IsText({ min: 1, max: 255 })
  @ApiProperty({ type: String, example: 'Aurora Casino' })
  name!: string;
}

export class EntityChangesBody extends EntityFields {
  @Optional()
  @IsId()
  @ApiProperty({ type: Number, required: false, description: 'The one it has: a casino cannot move', example: 3 })
  affiliate_id?: number;

  @Optional()
  @IsText({ min: 1, max: 255 })
  @ApiProperty({ type: String, required: false, example: 'Aurora Casino' })
  name?: string;
}
