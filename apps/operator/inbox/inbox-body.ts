import { Flag, Int, List, Text, Time, Word } from '#door/fields';
import { inboxKinds } from '#inbox';

export class WaitingBody {
  @Word(Object.keys(inboxKinds), 'What waits', 'kyt_review')
  kind!: string;

  @Word(['critical', 'warning', 'notice'], 'How pressing it is', 'warning')
  severity!: string;

  @Int('How many; counted up to 1000', 3)
  count!: number;

  @Flag('There are more than were counted', false)
  capped!: boolean;

  @Time.orNull(
    'Since when the oldest waits; of a credential when it expires; null: not known',
    '2026-01-01T00:00:00.000Z',
  )
  oldest_at!: string | null;

  @Text('The list that shows them', '/operator/deposits?waiting=kyt_review')
  href!: string;
}

export class InboxBody {
  @Time('When it was counted', '2026-01-01T00:00:00.000Z')
  as_of!: string;

  @List(WaitingBody, 'What there is something of, the most pressing first')
  waiting!: readonly WaitingBody[];
}
