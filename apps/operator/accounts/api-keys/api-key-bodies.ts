import { ApiProperty } from '@nestjs/swagger';
import { PageBody } from '#door/lists';
import { keyModes, keyScopes, keyStatuses } from '#partners';
import { WebhookBody } from '../webhook/webhook-bodies.ts';

export class ApiKeyBody {
  @ApiProperty({ type: Number, example: 17 })
  id!: number;

  @ApiProperty({ type: Number, description: 'The partner account', example: 3 })
  affiliate_id!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'null: every casino of the affiliate', example: null })
  entity_id!: number | null;

  @ApiProperty({ type: String, description: 'Label', nullable: true, example: 'Production' })
  name!: string | null;

  @ApiProperty({
    type: String,
    description: 'test: what it creates is left out of settlement',
    enum: keyModes,
    example: 'live',
  })
  mode!: string;

  @ApiProperty({ type: String, description: 'Casino endpoints need admin', enum: keyScopes, example: 'admin' })
  scope!: string;

  @ApiProperty({ type: String, description: 'Only an active key is let in', enum: keyStatuses, example: 'active' })
  status!: string;

  @ApiProperty({ type: String, description: 'null: never', format: 'date-time', nullable: true, example: null })
  expires_at!: string | null;

  @ApiProperty({
    type: WebhookBody,
    description: 'For casinos that it covers and that have none of their own; null: none',
    nullable: true,
  })
  webhook!: WebhookBody | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;
}

export class ChangedApiKeyBody extends ApiKeyBody {
  @ApiProperty({ type: String, required: false, description: 'When one was made: shown this once', example: 'kZ2v…' })
  webhook_secret?: string;
}

export class CreatedApiKeyBody extends ChangedApiKeyBody {
  @ApiProperty({ type: String, description: 'Shown this once', example: '17:mX9d…' })
  key!: string;
}

export class ApiKeysBody extends PageBody {
  @ApiProperty({ type: [ApiKeyBody] })
  api_keys!: ApiKeyBody[];
}
