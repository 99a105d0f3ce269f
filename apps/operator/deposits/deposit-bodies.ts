import { type ReviewedStatus, type ReviewResult, reviewedStatuses, reviewResults } from '#deposits';
import { DepositBody } from '#door/deposits';
import { List, Num, SentNum, SentText, SentWord, Text } from '#door/fields';
import { PageBody } from '#door/lists';
import { AsOf } from '../http/stale.ts';

export class DeciderBody {
  @Num('Which of them', 1001)
  deposit_id!: number;

  @Text('Who decided, as its history names him', 'api key 7')
  actor!: string;

  @Text.orNull('The name of that token or key', 'Production')
  name!: string | null;
}

export class DepositPageBody extends PageBody {
  @List(DepositBody, 'Newest first')
  deposits!: DepositBody[];

  @List(DeciderBody, 'Of those that are decided: who did it')
  decided_by!: DeciderBody[];

  @AsOf()
  as_of?: string;
}

/** What is decided is of what was looked at, and not of what came up by the same word since. */
export const SeenRevision = () =>
  SentNum.optional(
    'The revision of its history up to which it was looked at: refused where what it is about came up after that. Left out: with a token whenever it came up, in the console up to now',
    7,
    { min: 0 },
  );

export class NoteBody {
  @SentText.orNull('Kept with the event for good', 'source of funds was shown', { max: 2_000 })
  note?: string | null;
}

export class KytReviewBody extends NoteBody {
  @SentWord(reviewResults, 'failed freezes a pending deposit', 'passed')
  result!: ReviewResult;

  @SentWord.optional(
    reviewedStatuses,
    'Where KYT stood when it was looked at: refused where it stands otherwise now. Left out: wherever it stands; of what a second person approved, where it stood when that was asked for',
    'review',
  )
  kyt_status?: ReviewedStatus;

  @SeenRevision()
  seen_revision?: number;
}
