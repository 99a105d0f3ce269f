import { ApiProperty } from '@nestjs/swagger';
import { Flag, List, Nested, Num, Text, Time, Word } from '#door/fields';
import { PageBody } from '#door/lists';
import { casinoStatuses, keyModes } from '#partners';
import { WebhookBody } from '../webhook/webhook-bodies.ts';

export class InstantCapsBody {
  @Num('Most that a first instant deposit may be quoted at', 500)
  first_usd!: number;

  @Num('The same for a player who had a deposit accepted and confirmed', 1500)
  returning_usd!: number;

  @Num('Most that may come in for a first one; above it waits for KYT', 600)
  received_first_usd!: number;

  @Num('The same for a returning player', 1600)
  received_returning_usd!: number;
}

export class EntityBody {
  @Num('Its id', 41)
  id!: number;

  @Num('The partner account', 3)
  affiliate_id!: number;

  @Text('What it is called', 'Aurora Casino')
  name!: string;

  @Text.orNull('Told by webhooks as entity_external_code', 'aurora')
  external_code!: string | null;

  @Word(casinoStatuses, 'enabled and active are the same; disabled: no new deposits, no list', 'enabled')
  status!: string;

  @Word(keyModes, 'test: its deposits are left out of settlement', 'live')
  mode!: string;

  @Flag('Whether deposits may be accepted before confirmation', false)
  no_conf_allowed!: boolean;

  @Flag('Whether deposits may be accepted before KYT; needs no_conf_allowed too', false)
  instant_allowed!: boolean;

  @Nested(InstantCapsBody, 'Limits of instant deposits')
  instant_caps!: InstantCapsBody;

  @Num.orNull('Least that a deposit may be quoted at, in USD; null: none', 5)
  min_usd!: number | null;

  @Num.orNull('Most that a deposit may be quoted at, in USD; null: none', 10_000)
  max_usd!: number | null;

  @ApiProperty({
    type: 'array',
    items: {},
    nullable: true,
    description: 'Line by line as they were sent, and so also what is no FeeLineBody; null: not configured',
    example: [{ beneficiary: 'BF', kind: 'SPREAD', paid_by: 'PLAYER', percent: 0.01 }],
  })
  fees!: unknown[] | null;

  @Nested.orNull(WebhookBody, 'null: that of a key that covers it, if there is one')
  webhook!: WebhookBody | null;

  @Time('When it was made', '2026-01-02T03:04:05.678Z')
  created_at!: string;
}

export class ChangedEntityBody extends EntityBody {
  @Text.optional('When one was made: shown this once', 'kZ2v…')
  webhook_secret?: string;

  @List(
    String,
    'What is wrong with the fees (until it is mended, the deposit call answers 500), and what surprises in the limits',
    ['fees[0]: percent must be a fraction of at least 0 and below 1'],
  )
  warnings!: string[];
}

export class EntitiesBody extends PageBody {
  @List(EntityBody, 'A page of them')
  entities!: EntityBody[];
}
