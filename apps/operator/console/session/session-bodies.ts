import { List, Num, SentText, Text, Word } from '#door/fields';
import { operatorRoles } from '#partners';

export class NewSessionBody {
  @SentText("The operator's token", 'mX9d…', { min: 1, max: 1_000 })
  token!: string;
}

export class MeBody {
  @Num('Of the token', 4)
  id!: number;

  @Text.orNull('Label of the token', 'Night shift')
  name!: string | null;

  @Word(operatorRoles, 'What the token is for', 'ops')
  role!: string;

  @Word(['token', 'provider'], 'What it shows again before what is dangerous at the console', 'token')
  confirms_by!: 'token' | 'provider';

  @List(String, 'What it may call of what is served here, by operationId', ['pageDeposits', 'reviewKyt'])
  can!: readonly string[];
}
