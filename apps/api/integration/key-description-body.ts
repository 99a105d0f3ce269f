import { ApiProperty } from '@nestjs/swagger';
import { keyModes, keyScopes } from '#partners';

export class DescribedKeyBody {
  @ApiProperty({ type: Number, description: 'Key id', example: 17 })
  id!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Label', example: 'Production' })
  name!: string | null;

  @ApiProperty({
    type: String,
    enum: keyModes,
    description: 'What it creates: live or test deposits',
    example: 'live',
  })
  mode!: string;

  @ApiProperty({
    type: String,
    enum: keyScopes,
    description: 'Casino endpoints need admin',
    example: 'admin',
  })
  scope!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null: the key does not expire',
    example: null,
  })
  expires_at!: string | null;
}

export class NamedBody {
  @ApiProperty({ type: Number, description: 'Its id', example: 3 })
  id!: number;

  @ApiProperty({ type: String, description: 'What it is called', example: 'Northern Lights Gaming' })
  name!: string;
}

export class DescribedWebhookBody {
  @ApiProperty({ type: String, description: 'Delivery URL', example: 'https://casino.example/hooks/deposits' })
  url!: string;

  @ApiProperty({ type: Boolean, description: 'true when deliveries carry X-Webhook-Signature', example: true })
  signed!: boolean;

  @ApiProperty({
    type: String,
    enum: ['entity_override', 'api_key'],
    description: "The casino's own setting, or the webhook URL of an active key that covers the casino",
    example: 'entity_override',
  })
  source!: string;
}

export class DescribedCasinoBody {
  @ApiProperty({ type: Number, description: 'The entity_id to send', example: 41 })
  id!: number;

  @ApiProperty({ type: String, description: 'What it is called', example: 'Aurora Casino' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Appears as entity_external_code in webhook payloads',
    example: 'aurora',
  })
  external_code!: string | null;

  @ApiProperty({
    type: String,
    enum: ['enabled', 'disabled'],
    description: 'disabled: no new deposits, no list',
    example: 'enabled',
  })
  status!: string;

  @ApiProperty({
    type: DescribedWebhookBody,
    nullable: true,
    description: 'null: no webhook URL, no webhooks are sent',
  })
  webhook!: DescribedWebhookBody | null;
}

export class KeyDescriptionBody {
  @ApiProperty({ type: DescribedKeyBody, description: 'The key that was sent' })
  key!: DescribedKeyBody;

  @ApiProperty({ type: NamedBody, description: 'The partner account' })
  affiliate!: NamedBody;

  @ApiProperty({
    type: NamedBody,
    nullable: true,
    description: 'The single casino that the key is locked to; null: affiliate-wide',
    example: null,
  })
  entity_scope!: NamedBody | null;

  @ApiProperty({
    type: [DescribedCasinoBody],
    description: 'Every casino the key can act on, any status, ordered by id',
  })
  entities!: DescribedCasinoBody[];
}
