import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, ValidateNested } from 'class-validator';
import { IsId, IsText, IsTime, Optional, OptionalOrNull } from '#door/rules';
import { keyModes, keyScopes, keyStatuses } from '#partners';
import { WebhookSettingsBody } from '../webhook/webhook-bodies.ts';

class ApiKeyFields {
  @OptionalOrNull()
  @IsText({ max: 255 })
  @ApiProperty({ type: String, description: 'Label', nullable: true, required: false, example: 'Production' })
  name?: string | null;

  @OptionalOrNull()
  @IsTime()
  @ApiProperty({ type: String, format: 'date-time', nullable: true, required: false, description: 'null: never' })
  expires_at?: string | null;

  @OptionalOrNull()
  @IsObject()
  @ValidateNested()
  @Type(() => WebhookSettingsBody)
  @ApiProperty({ type: WebhookSettingsBody, nullable: true, required: false, description: 'null: none' })
  webhook?: WebhookSettingsBody | null;
}

export class NewApiKeyBody extends ApiKeyFields {
  @IsId()
  @ApiProperty({ type: Number, description: 'The partner account', example: 3 })
  affiliate_id!: number;

  @OptionalOrNull()
  @IsId()
  @ApiProperty({ type: Number, nullable: true, required: false, description: 'null: every casino of the affiliate' })
  entity_id?: number | null;

  @Optional()
  @IsIn(keyModes)
  @ApiProperty({
    type: String,
    description: 'test: what it creates is left out of settlement',
    enum: keyModes,
    required: false,
    default: 'live',
  })
  mode?: (typeof keyModes)[number];

  @Optional()
  @IsIn(keyScopes)
  @ApiProperty({
    type: String,
    description: 'Casino endpoints need admin',
    enum: keyScopes,
    required: false,
    default: 'admin',
  })
  scope?: (typeof keyScopes)[number];
}

export class ApiKeyChangesBody extends ApiKeyFields {
  @Optional()
  @IsIn(keyStatuses)
  @ApiProperty({ type: String, description: 'Only an active key is let in', enum: keyStatuses, required: false })
  status?: (typeof keyStatuses)[number];
}
