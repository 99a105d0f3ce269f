import { ApiProperty } from '@nestjs/swagger';
import { List, Num, SentDigits, SentWord, Text, Time, Word } from '#door/fields';
import { PageBody, PageQuery } from '#door/lists';
import { type KeptOutcome, keptOutcomes } from '#engine';

export class KeptSignalsQuery extends PageQuery {
  @SentDigits.optional('Those of one deposit', '1042')
  deposit_id?: string;

  @SentDigits.optional('Those of one legacy transaction', '1021')
  transaction_id?: string;

  @SentWord.optional(keptOutcomes, 'What became of it')
  outcome?: KeptOutcome;

  @SentDigits.optional('Those that were taken in the last so many days', '7')
  days?: string;

  @SentWord.optional(['true'], 'Those that a fault of this service keeps back; they are handed in again by themselves')
  failing?: 'true';

  @SentWord.optional(['true'], 'Payments that were ignored since their deposit, or older transaction, has too many')
  without_place?: 'true';
}

export class KeptSignalBody {
  @Text('As it was sent', 'sig-1')
  signal_id!: string;

  @Num.orNull('null: it names none that is known', 1042)
  deposit_id!: number | null;

  @Num.orNull('Of a legacy transaction; null otherwise', null)
  transaction_id!: number | null;

  @Text.orNull('null: it has none that can be read', 'payment.confirmed')
  type!: string | null;

  @Time.orNull('When the fact was; null: none that can be read', '2026-11-21T14:00:00.000Z')
  at!: string | null;

  @Word.orNull(
    [...keptOutcomes, null],
    'null: not known yet, or its instance died; the same signal sent again is taken up again',
    'rejected',
  )
  outcome!: string | null;

  @Text.orNull('Why it was rejected or ignored', 'the payment was never seen')
  detail!: string | null;

  @Time('When it came in', '2026-11-21T14:00:01.000Z')
  taken_at!: string;

  @Text('Who sent it', 'operator token 2')
  taken_by!: string;

  @ApiProperty({ description: 'As it was sent', example: { signal_id: 'sig-1', type: 'payment.confirmed' } })
  payload!: unknown;
}

export class KeptSignalsBody extends PageBody {
  @List(KeptSignalBody, 'A page of them')
  signals!: KeptSignalBody[];
}
