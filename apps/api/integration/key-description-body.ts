import { Flag, List, Nested, Num, Text, Time, Word } from '#door/fields';
import { keyModes, keyScopes } from '#partners';

export class DescribedKeyBody {
  @Num('Key id', 17)
  id!: number;

  @Text.orNull('Label', 'Production')
  name!: string | null;

  @Word(keyModes, 'What it creates: live or test deposits', 'live')
  mode!: string;

  @Word(keyScopes, 'Casino endpoints need admin', 'admin')
  scope!: string;

  @Time.orNull('null: the key does not expire', null)
  expires_at!: string | null;
}

export class NamedBody {
  @Num('Its id', 3)
  id!: number;

  @Text('What it is called', 'Northern Lights Gaming')
  name!: string;
}

export class DescribedWebhookBody {
  @Text('Delivery URL', 'https://casino.example/hooks/deposits')
  url!: string;

  @Flag('true when deliveries carry X-Webhook-Signature', true)
  signed!: boolean;

  @Word(
    ['entity_override', 'api_key'],
    "The casino's own setting, or the webhook URL of an active key that covers the casino",
    'entity_override',
  )
  source!: string;
}

export class DescribedCasinoBody {
  @Num('The entity_id to send', 41)
  id!: number;

  @Text('What it is called', 'Aurora Casino')
  name!: string;

  @Text.orNull('Appears as entity_external_code in webhook payloads', 'aurora')
  external_code!: string | null;

  @Word(['enabled', 'disabled'], 'disabled: no new deposits, no list', 'enabled')
  status!: string;

  @Nested.orNull(DescribedWebhookBody, 'null: no webhook URL, no webhooks are sent')
  webhook!: DescribedWebhookBody | null;
}

export class KeyDescriptionBody {
  @Nested(DescribedKeyBody, 'The key that was sent')
  key!: DescribedKeyBody;

  @Nested(NamedBody, 'The partner account')
  affiliate!: NamedBody;

  @Nested.orNull(NamedBody, 'The single casino that the key is locked to; null: affiliate-wide', null)
  entity_scope!: NamedBody | null;

  @List(DescribedCasinoBody, 'Every casino the key can act on, any status, ordered by id')
  entities!: DescribedCasinoBody[];
}
