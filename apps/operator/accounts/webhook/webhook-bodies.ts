import { Flag, SentFlag, SentNum, SentText, Text } from '#door/fields';
import { IsHttpUrl } from '#door/rules';

export class WebhookSettingsBody {
  @IsHttpUrl()
  @Text(
    'Delivery URL, http or https; a user and a password in it are sent as Authorization: Basic',
    'https://casino.example/hooks/deposits',
  )
  url!: string;

  @SentText.orNull('Left out: the one it has is kept, a new webhook gets one', undefined, { min: 1, max: 1024 })
  secret?: string | null;

  @SentFlag.optional('false: no secret, deliveries are unsigned')
  signed?: boolean;
}

export class WebhookBody {
  @Text('Delivery URL; a user and a password in it are shown as ***', 'https://casino.example/hooks/deposits')
  url!: string;

  @Flag('true when deliveries carry X-Webhook-Signature', true)
  signed!: boolean;
}

export const DAY_S = 24 * 3600;
const YEAR_S = 366 * 24 * 3600;

export class NewRotationBody {
  @SentNum.byDefault(
    DAY_S,
    'How long the old secret stays valid; 0 ends it, and every overlap that is running, at once',
    3600,
    { min: 0, max: YEAR_S },
  )
  overlap_s?: number;
}

export class RotationBody {
  @Text('Shown this once', 'kZ2v…')
  webhook_secret!: string;
}
