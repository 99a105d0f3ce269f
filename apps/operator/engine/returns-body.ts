import { absences, screeningAlarms } from '#deposits';
import { List, Num, SentDigits, SentWord, Text, Time, Word } from '#door/fields';
import { PageBody, PageQuery } from '#door/lists';
import { type ReturnState, returnStates } from '#engine';
import { AsOf, MayBeStale } from '../http/stale.ts';

export class ReturnsQuery extends PageQuery {
  @SentWord.optional(returnStates, 'held: screening objects, an operator has to release it')
  state?: ReturnState;

  @SentDigits.optional('Those of one deposit', '1042')
  deposit_id?: string;

  @SentDigits.optional('Those of one casino', '41')
  entity_id?: string;

  @SentWord.optional(['true'], 'Those whose payments are not all there (`unfunded_because`)')
  unfunded?: 'true';

  @MayBeStale()
  stale?: 'allow';
}

export class QueuedReturnBody {
  @Num('Of the return', 7)
  return_id!: number;

  @Num('Of the deposit', 1042)
  deposit_id!: number;

  @Num('The casino', 41)
  entity_id!: number;

  @Text('Which coin', 'BTC')
  currency!: string;

  @Text('As the partner named it; nobody has checked it')
  address!: string;

  @Text('Decimal text', '0.00166667')
  amount!: string;

  @Word(
    returnStates,
    'queued: it is sent with the next cycle, unless unfunded_because says what it waits for; held: screening objects, an operator has to release it',
    'queued',
  )
  state!: string;

  @Word.orNull([...screeningAlarms, null], 'null: nothing holds it', null)
  held_because!: string | null;

  @Word.orNull(
    [...absences, null],
    'Why the payments that it gives back are not all there: while it is so nothing is sent; null: each is confirmed',
    null,
  )
  unfunded_because!: string | null;

  @Text.orNull('Its transaction, also one that was dropped', null)
  last_txid!: string | null;

  @Time('When the partner decided', '2026-11-21T14:00:00.000Z')
  queued_at!: string;
}

export class ReturnsBody extends PageBody {
  @List(QueuedReturnBody, 'A page of them')
  returns!: readonly QueuedReturnBody[];

  @AsOf()
  as_of?: string;
}
