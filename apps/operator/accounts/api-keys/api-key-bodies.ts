import { List, Nested, Num, Text, Time, Word } from '#door/fields';
import { PageBody } from '#door/lists';
import { keyModes, keyScopes, keyStatuses } from '#partners';
import { WebhookBody } from '../webhook/webhook-bodies.ts';

export class ApiKeyBody {
  @Num('Its id', 17)
  id!: number;

  @Num('The partner account', 3)
  affiliate_id!: number;

  @Num.orNull('null: every casino of the affiliate', null)
  entity_id!: number | null;

  @Text.orNull('Label', 'Production')
  name!: string | null;

  @Word(keyModes, 'test: what it creates is left out of settlement', 'live')
  mode!: string;

  @Word(keyScopes, 'Casino endpoints need admin', 'admin')
  scope!: string;

  @Word(keyStatuses, 'Only an active key is let in', 'active')
  status!: string;

  @Time.orNull('null: never', null)
  expires_at!: string | null;

  @Nested.orNull(WebhookBody, 'For casinos that it covers and that have none of their own; null: none')
  webhook!: WebhookBody | null;

  @Time('When it was made', '2026-01-02T03:04:05.678Z')
  created_at!: string;
}

export class ChangedApiKeyBody extends ApiKeyBody {
  @Text.optional('When one was made: shown this once', 'kZ2v…')
  webhook_secret?: string;
}

export class CreatedApiKeyBody extends ChangedApiKeyBody {
  @Text('Shown this once', '17:mX9d…')
  key!: string;
}

export class ApiKeysBody extends PageBody {
  @List(ApiKeyBody, 'A page of them')
  api_keys!: ApiKeyBody[];
}
