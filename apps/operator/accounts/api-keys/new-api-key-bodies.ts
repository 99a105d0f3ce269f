import { SentId, SentNested, SentText, SentTime, SentWord } from '#door/fields';
import { keyModes, keyScopes, keyStatuses } from '#partners';
import { WebhookSettingsBody } from '../webhook/webhook-bodies.ts';

class ApiKeyFields {
  @SentText.orNull('Label', 'Production', { max: 255 })
  name?: string | null;

  @SentTime.orNull('null: never')
  expires_at?: string | null;

  @SentNested.orNull(WebhookSettingsBody, 'null: none')
  webhook?: WebhookSettingsBody | null;
}

export class NewApiKeyBody extends ApiKeyFields {
  @SentId('The partner account', 3)
  affiliate_id!: number;

  @SentId.orNull('null: every casino of the affiliate')
  entity_id?: number | null;

  @SentWord.byDefault('live', keyModes, 'test: what it creates is left out of settlement')
  mode?: (typeof keyModes)[number];

  @SentWord.byDefault('admin', keyScopes, 'Casino endpoints need admin')
  scope?: (typeof keyScopes)[number];
}

export class ApiKeyChangesBody extends ApiKeyFields {
  @SentWord.optional(keyStatuses, 'Only an active key is let in')
  status?: (typeof keyStatuses)[number];
}
