import { Int, Json, List, SentWord, Text, Time, Word, Words } from '#door/fields';
import { PageBody, PageQuery } from '#door/lists';
import { type ApprovalState, approvalStates, type OperatorRole, operatorRoles } from '#partners';

export class ApprovalsQuery extends PageQuery {
  @SentWord.optional(approvalStates, 'Those of one state')
  state?: ApprovalState;
}

export class ApprovalBody {
  @Int('Its id', 7)
  id!: number;

  @Int('The token of whoever asks', 4)
  token_id!: number;

  @Text('What he wants to do, by operationId', 'releaseReturn')
  operation!: string;

  @Json('What of: the path and the body, without secrets')
  about!: object;

  @Text('Why', 'The player has shown his papers')
  reason!: string;

  @Word(approvalStates, 'approved: whoever asked may do it once, until it expires; done: he has', 'asked')
  state!: string;

  @Words(operatorRoles, 'Whose role may let it through', ['admin'])
  roles!: readonly OperatorRole[];

  @Time('When it was asked for', '2026-01-01T00:00:00.000Z')
  asked_at!: string;

  @Time('Until when it waits: for the second person, then for the first', '2026-01-01T00:30:00.000Z')
  expires_at!: string;

  @Int.orNull('The token of whoever approved or refused it', null)
  decided_by!: number | null;

  @Time.orNull('When that was', null)
  decided_at!: string | null;
}

export class ApprovalsBody extends PageBody {
  @List(ApprovalBody, 'Newest first')
  approvals!: readonly ApprovalBody[];
}
