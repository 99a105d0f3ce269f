import { ValidateIf } from 'class-validator';
import { List, Num, SentDigits, SentFlag, SentId, SentTime, SentWord, SentWords, Text, Time, Word } from '#door/fields';
import { PageBody, PageQuery } from '#door/lists';
import { IsId } from '#door/rules';
import { type DeliveryStatus, webhookEvents } from '#webhooks';

const STATUSES = ['pending', 'delivered', 'dead'] as const satisfies readonly DeliveryStatus[];

export class DeliveriesQuery extends PageQuery {
  @SentDigits.optional('Those of one deposit', '1001')
  deposit_id?: string;

  @SentDigits.optional('Those of one legacy transaction', '1021')
  transaction_id?: string;

  @SentDigits.optional("Those of an affiliate's legacy transactions", '3')
  affiliate_id?: string;

  @SentDigits.optional('Those of one casino', '41')
  entity_id?: string;

  @SentWord.optional(STATUSES, 'dead: given up after the last retry')
  status?: DeliveryStatus;
}

export class ReplayedBody {
  @ValidateIf(({ affiliate_id }) => affiliate_id === undefined)
  @IsId()
  @Num.optional('The casino; this or affiliate_id', 41)
  entity_id?: number;

  @SentId.optional('In place of entity_id: its legacy transactions')
  affiliate_id?: number;
}

export class StoppedReplayBody {
  @Num('How many are not sent again', 3)
  stopped!: number;
}

export class NewReplayBody extends ReplayedBody {
  @SentTime('Everything made from then on is sent again', '2026-01-02T03:04:05.678Z')
  since!: string;

  @SentTime.optional('Nothing made later', '2026-01-03T00:00:00.000Z')
  until?: string;

  @SentWords.optional(webhookEvents, 'These events alone; by default all', ['deposit.accepted'])
  events?: string[];

  @SentWord.byDefault('all', ['all', 'dead'], 'dead: those that were given up after the last retry')
  only?: 'all' | 'dead';

  @SentFlag.byDefault(false, 'true: count them, and send nothing')
  dry_run?: boolean;
}

export class ReplayBody {
  @Num('How many deliveries are due again; with `dry_run` how many would be', 3)
  replayed!: number;
}

export class AttemptBody {
  @Time('When it was begun', '2026-01-02T03:04:05.678Z')
  at!: string;

  @Num.orNull('null: no answer came', 503)
  status_code!: number | null;

  @Text.orNull('Why no answer came', null)
  error!: string | null;

  @Num('Until the answer, or until it was given up', 84)
  duration_ms!: number;
}

export class DeliveryBody {
  @Num('Of the delivery', 90210)
  id!: number;

  @Text('X-Webhook-Id: the same on every attempt', '5f0a7e5e-3b1c-8a52-9d0e-6f1d2c3b4a59', { format: 'uuid' })
  webhook_id!: string;

  @Word(webhookEvents, 'Name of the event', 'deposit.accepted')
  event!: string;

  @Num.orNull('null: of a transaction of the older interface', 1001)
  deposit_id!: number | null;

  @Num.orNull('null: of a transaction of the older interface', 41)
  entity_id!: number | null;

  @Num.orNull('Of a legacy transaction; null: of a deposit', null)
  transaction_id!: number | null;

  @Num.orNull('Whose legacy transaction; null: of a deposit', null)
  affiliate_id!: number | null;

  @Text('Where it went last', 'https://casino.example/hooks/deposits')
  url!: string;

  @Word(STATUSES, 'dead: given up after the last retry', 'pending')
  status!: DeliveryStatus;

  @Time('When it became due', '2026-01-02T03:04:05.123Z')
  created_at!: string;

  @List(AttemptBody, 'In order')
  attempts!: readonly AttemptBody[];

  @Time.orNull('null: none is planned', null)
  next_attempt_at!: string | null;
}

class AnsweredAttemptBody extends AttemptBody {
  @Text.orNull('The first 500 characters of the answer; null: none came, or none was kept then', 'ok')
  answer!: string | null;
}

export class DeliveryDetailBody extends DeliveryBody {
  @Text.orNull('What is sent, byte by byte; null once it is not kept any more', '{"deposit_id":1001}')
  body!: string | null;

  @Text('Whose setting it goes by', 'entity 41')
  endpoint!: string;

  @Text('Why it goes there', 'casino 41 has a webhook URL of its own')
  reason!: string;

  @List(AnsweredAttemptBody, 'In order')
  declare attempts: readonly AnsweredAttemptBody[];
}

export class DeliveriesBody extends PageBody {
  @List(DeliveryBody, 'A page of them')
  deliveries!: readonly DeliveryBody[];
}
