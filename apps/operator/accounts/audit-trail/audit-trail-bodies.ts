import { Json, List, Num, SentText, SentTime, SentWord, Text, Time, Word } from '#door/fields';
import { PageBody, PageQuery } from '#door/lists';

export class AuditTrailQuery extends PageQuery {
  @SentText.optional('Kind of what was changed', 'entity')
  subject?: string;

  @SentText.optional('Which one', '41')
  subject_id?: string;

  @SentText.optional('Who', 'operator token 4')
  actor?: string;

  @SentWord.optional(['created', 'changed', 'removed'], 'What was done', 'changed')
  action?: 'created' | 'changed' | 'removed';

  @SentTime.optional('Done then or later', '2026-01-01T00:00:00Z')
  from?: string;

  @SentTime.optional('Done then or earlier', '2026-02-01T00:00:00Z')
  to?: string;
}

export class AuditEntryBody {
  @Num('Its id', 108)
  id!: number;

  @Time('When it was done', '2026-01-02T03:04:05.678Z')
  at!: string;

  @Text('Who', 'operator token 4')
  actor!: string;

  @Text.orNull('The name of that token or key', 'night shift')
  actor_name!: string | null;

  @Word(['created', 'changed', 'removed'], 'What was done', 'changed')
  action!: string;

  @Text('Kind of what was changed', 'entity')
  subject!: string;

  @Text('Which one', '41')
  subject_id!: string;

  @Json.orNull('What it was, without secrets; null: it was not there', { id: 41, status: 'enabled' })
  before!: object | null;

  @Json.orNull('What it is now, without secrets; null: it is gone', { id: 41, status: 'disabled' })
  after!: object | null;

  @Num.orNull('Its place in the chain; null: it is older than the chain', 108)
  place!: number | null;

  @Text.orNull('The hash of the entry before it', '9f86d08188…')
  previous_hash!: string | null;

  @Text.orNull('SHA-256 over place, previous_hash and all that is told here but the id', '60303ae22b…')
  hash!: string | null;
}

export class AuditTrailBody extends PageBody {
  @List(AuditEntryBody, 'A page of them')
  audit_trail!: AuditEntryBody[];
}
