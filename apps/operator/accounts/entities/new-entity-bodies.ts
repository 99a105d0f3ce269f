import { ApiProperty } from '@nestjs/swagger';
import { SentFlag, SentId, SentNested, SentNum, SentText, SentWord } from '#door/fields';
import { IsJsonList, OptionalOrNull } from '#door/rules';
import { casinoStatuses, keyModes } from '#partners';
import { WebhookSettingsBody } from '../webhook/webhook-bodies.ts';
import { FeeLineBody } from './fee-line-body.ts';
import { InstantCapsChangesBody } from './instant-caps-changes-body.ts';

class EntityFields {
  @SentText.orNull('Told by webhooks as entity_external_code', 'aurora', { max: 255 })
  external_code?: string | null;

  @SentWord.byDefault('enabled', casinoStatuses, 'enabled and active are the same; disabled: no new deposits, no list')
  status?: (typeof casinoStatuses)[number];

  @SentWord.byDefault('live', keyModes, 'test: its deposits are left out of settlement')
  mode?: (typeof keyModes)[number];

  @SentFlag.byDefault(false, 'Whether deposits may be accepted before confirmation')
  no_conf_allowed?: boolean;

  @SentFlag.byDefault(false, 'Whether deposits may be accepted before KYT; needs no_conf_allowed too')
  instant_allowed?: boolean;

  @SentNested.orNull(InstantCapsChangesBody, 'null: back to the defaults')
  instant_caps?: InstantCapsChangesBody | null;

  @SentNum.orNull('Least that a deposit may be quoted at, in USD; null: whatever is asked for', 5, { min: 0 })
  min_usd?: number | null;

  @SentNum.orNull('Most that a deposit may be quoted at, in USD; null: whatever is asked for', 10_000, { min: 0 })
  max_usd?: number | null;

  @OptionalOrNull()
  @IsJsonList()
  @ApiProperty({
    type: [FeeLineBody],
    nullable: true,
    required: false,
    description: 'Stored as sent, even when invalid; null: not configured',
  })
  fees?: unknown[] | null;

  @SentNested.orNull(WebhookSettingsBody, 'null: none')
  webhook?: WebhookSettingsBody | null;
}

export class NewEntityBody extends EntityFields {
  @SentId('The partner account', 3)
  affiliate_id!: number;

  @SentText('What it is called', 'Aurora Casino', { min: 1, max: 255 })
  name!: string;
}

export class EntityChangesBody extends EntityFields {
  @SentId.optional('The one it has: a casino cannot move', 3)
  affiliate_id?: number;

  @SentText.optional('What it is called', 'Aurora Casino', { min: 1, max: 255 })
  name?: string;
}
