import { Equals } from 'class-validator';
import { List, Num, SentTime, Text, Time, Word } from '#door/fields';
import { PageBody } from '#door/lists';

export class NewAccessTokenBody {
  @SentTime.orNull('null: never')
  expires_at?: string | null;
}

export class RevocationBody {
  @Equals('revoked')
  @Word(['revoked'], 'There is no way back')
  status!: 'revoked';
}

export class AccessTokenBody {
  @Num('Its id', 5)
  id!: number;

  @Num('The partner account', 3)
  affiliate_id!: number;

  @Word(['active', 'revoked'], 'revoked: for ever', 'active')
  status!: string;

  @Time.orNull('null: never', null)
  expires_at!: string | null;

  @Time('When it was made', '2026-01-02T03:04:05.678Z')
  created_at!: string;
}

export class IssuedAccessTokenBody extends AccessTokenBody {
  @Text('Shown this once', 'Qm9k…')
  access_token!: string;

  @Text('Shown this once; it buys the next pair once', 'c3Rh…')
  refresh_token!: string;
}

export class AccessTokensBody extends PageBody {
  @List(AccessTokenBody, 'A page of them')
  access_tokens!: AccessTokenBody[];
}
