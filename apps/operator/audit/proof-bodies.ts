import { IsNotEmpty } from 'class-validator';
import type { Proof } from '#audit';
import { Int, Json, List, Nested, Text, Time, Word } from '#door/fields';
import { IsDigits } from '#door/rules';
import { SealBody } from './audit-bodies.ts';

export class ProofQuery {
  @Int('Of which deposit', 1021)
  @IsNotEmpty()
  @IsDigits()
  deposit_id!: string;

  @Int('Which event of it', 4)
  @IsNotEmpty()
  @IsDigits()
  revision!: string;
}

class HashedMetadataBody {
  @Int('In which shape `data` is', 1)
  schema_version!: number;

  @Time('When the fact was', '2026-01-01T00:00:00.000Z')
  occurred_at!: string;

  @Text.optional('Who did it', 'api key 17')
  actor?: string;

  @Text.optional('What it belongs to', 'c-1')
  correlation?: string;

  @Text.optional('What brought it about', 'c-1')
  causation?: string;

  @Text.orNull('Of the event before it', null)
  prev_hash!: string | null;
}

class HashedEventBody {
  @Json('What happened')
  data!: Proof['events'][number]['data'];

  @Text('Of the event', '5f0a7e5e-3b1c-4a52-9d0e-6f1d2c3b4a59')
  id!: string;

  @Nested(HashedMetadataBody, 'As it is hashed')
  metadata!: Proof['events'][number]['metadata'];

  @Int('Counts from 0', 4)
  revision!: number;

  @Text('Of its history', 'deposit-1021')
  stream!: string;

  @Text('What kind of event', 'DepositAccepted')
  type!: string;
}

class StepBody {
  @Word(['left', 'right'], 'On which side the hash stands', 'right')
  side!: 'left' | 'right';

  @Text('Beside the path', '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752')
  hash!: string;
}

export class ProofBody implements Proof {
  @Text('Its form', 'cointill proof 1')
  format!: Proof['format'];

  @List(HashedEventBody, 'The event and those behind it in its history, as they are hashed')
  events!: readonly HashedEventBody[];

  @List(StepBody, 'From the end of its history to the root')
  path!: readonly StepBody[];

  @Nested(SealBody, 'The first seal that was made after the event')
  seal!: SealBody;
}
