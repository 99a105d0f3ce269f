import { type ReviewResult, reviewResults } from '#deposits';
import { DepositBody } from '#door/deposits';
import { List, SentText, SentWord } from '#door/fields';
import { PageBody } from '#door/lists';
import { AsOf } from '../http/stale.ts';

export class DepositPageBody extends PageBody {
  @List(DepositBody, 'Newest first')
  deposits!: DepositBody[];

  @AsOf()
  as_of?: string;
}

export class NoteBody {
  @SentText.orNull('Kept with the event for good', 'source of funds was shown', { max: 2_000 })
  note?: string | null;
}

export class KytReviewBody extends NoteBody {
  @SentWord(reviewResults, 'failed freezes a pending deposit', 'passed')
  result!: ReviewResult;
}
