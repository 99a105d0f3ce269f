import { ApiProperty } from '@nestjs/swagger';
import { beneficiaries, chargeKinds, payers } from '#deposits';
import { Num, SentFlag, SentId, SentNested, SentNum, SentText, SentWord, Word } from '#door/fields';
import { IsJsonList, OptionalOrNull } from '#door/rules';
import { casinoStatuses, keyModes } from '#partners';
import { WebhookSettingsBody } from '../webhook/webhook-bodies.ts';

/** Every deposit repeats them, and so does every answer and webhook of it. */
const MOST_FEES = 100;

class InstantCapsChangesBody {
  @SentNum.byDefault(500, 'Most that a first instant deposit may be quoted at', undefined, { min: 0 })
  first_usd?: number;

  @SentNum.byDefault(1500, 'The same for a player who had a deposit accepted and confirmed', undefined, { min: 0 })
  returning_usd?: number;

  @SentNum.byDefault(600, 'Most that may come in for a first one; above it waits for KYT', undefined, { min: 0 })
  received_first_usd?: number;

  @SentNum.byDefault(1600, 'The same for a returning player', undefined, { min: 0 })
  received_returning_usd?: number;
}

/** One line of the fee configuration; it is stored as it is sent, so nothing here is checked. */
class FeeLineBody {
  @Word(beneficiaries, 'Who gets it: the service, the partner or the casino', 'BF')
  beneficiary!: string;

  @Word(chargeKinds, 'SPREAD lowers the rate; FEE is a percent of the player amount', 'SPREAD')
  kind!: string;

  @Word(payers, 'ENTITY: deducted from what the casino is settled; a SPREAD is always paid by the player', 'PLAYER')
  paid_by!: string;

  @Num('A fraction: 0.02 is 2%', 0.01)
  percent!: number;
}

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
  @IsJsonList({ most: MOST_FEES })
  @ApiProperty({
    type: [FeeLineBody],
    nullable: true,
    required: false,
    maxItems: MOST_FEES,
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
