import { IsInt, IsPositive, IsString } from 'class-validator';
import { legacyErrors } from '#door/errors';
import { Int, SentAmount, SentText, Text, Word } from '#door/fields';
import { MisfitIs } from '#door/http';
import { IsMailAddress, Optional } from '#door/rules';
import { legacyCurrencies } from '#money';

/** "401 if a payload item is incorrect." */
const WrongItems = () => MisfitIs(([first]) => legacyErrors.wrongItem(first?.path.join('.') ?? ''));

const TOKEN = [
  'The access token. Keep it out of public places and client-side code',
  'kq3Zs0l4vB9xYH2m7uTfRjC1nPwE6aDgLo8iVyXtMbQ',
] as const;

@WrongItems()
export class TokenSentBody {
  @Text(...TOKEN)
  @IsString()
  access_token!: string;
}

@WrongItems()
export class MaybeTokenSentBody {
  @Text.optional(...TOKEN)
  @Optional()
  @IsString()
  access_token?: string;
}

@WrongItems()
export class RefreshBody {
  @Text(
    'Works once: a second use revokes all that came of the same issue',
    'u5Wd8Rk2fJq7ZxPvBn0cYsGt4mHaLe9oTi1XbQyVw3K',
  )
  @IsString()
  refresh_token!: string;
}

@WrongItems()
export class TransactionIdBody extends TokenSentBody {
  @Int('Of the transaction', 1021)
  @IsInt()
  @IsPositive()
  transaction_id!: number;
}

@WrongItems()
export class CreateTransactionBody extends TokenSentBody {
  @Text('Of whoever pays', 'payer@mail.example')
  @IsMailAddress()
  email!: string;

  @SentAmount('USD to be paid, above 0', 100)
  amount!: number;

  @Word(legacyCurrencies, "One of the affiliate's cryptos", 'BCH')
  @IsString()
  crypto_selected!: string;

  @SentText('Shown again as label and description', 'order 12', { min: 1, max: 255 })
  label!: string;
}
