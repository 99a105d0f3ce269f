import { Equals } from 'class-validator';
import { List, Num, SentText, SentTime, SentWord, Text, Time, Word } from '#door/fields';
import { PageBody } from '#door/lists';
import { operatorRoles } from '#partners';

export class NewTokenBody {
  @SentWord(
    operatorRoles,
    'admin: everything; ops: all but accounts and signals; auditor: reads only; engine: signals only',
  )
  role!: (typeof operatorRoles)[number];

  @SentText.orNull('Label', 'Night shift', { max: 255 })
  name?: string | null;

  @SentTime.orNull('null: never')
  expires_at?: string | null;
}

export class TokenRevocationBody {
  @Equals('revoked')
  @Word(['revoked'], 'There is no way back')
  status!: 'revoked';
}

export class TokenBody {
  @Num('Its id', 4)
  id!: number;

  @Word(
    operatorRoles,
    'admin: everything; ops: all but accounts and signals; auditor: reads only; engine: signals only',
    'ops',
  )
  role!: string;

  @Text.orNull('Label', 'Night shift')
  name!: string | null;

  @Text.orNull('Of a person whom the provider has let in, who has no token', null)
  subject!: string | null;

  @Word(['active', 'revoked'], 'revoked: for ever', 'active')
  status!: string;

  @Time.orNull('null: never', null)
  expires_at!: string | null;

  @Time('When it was made', '2026-01-02T03:04:05.678Z')
  created_at!: string;
}

export class CreatedTokenBody extends TokenBody {
  @Text('Shown this once', 'mX9d…')
  token!: string;
}

export class TokensBody extends PageBody {
  @List(TokenBody, 'A page of them')
  tokens!: TokenBody[];
}
