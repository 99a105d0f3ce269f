import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsNumber, IsPositive, IsString } from 'class-validator';
import { legacyErrors } from '#door/errors';
import { MisfitIs } from '#door/http';
import { IsMailAddress, IsText, Optional } from '#door/rules';
import { legacyCurrencies } from '#money';

/** "401 if a payload item is incorrect." */
const WrongItems = () => MisfitIs(([first]) => legacyErrors.wrongItem(first?.path.join('.') ?? ''));

const Token = (required = true) =>
  ApiProperty({
    type: String,
    required,
    description: 'The access token. Keep it out of public places and client-side code',
    example: 'kq3Zs0l4vB9xYH2m7uTfRjC1nPwE6aDgLo8iVyXtMbQ',
  });

@WrongItems()
export class TokenSentBody {
  @Token()
  @IsString()
  access_token!: string;
}

@WrongItems()
export class MaybeTokenSentBody {
  @Token(false)
  @Optional()
  @IsString()
  access_token?: string;
}

@WrongItems()
export class RefreshBody {
  @ApiProperty({
    type: String,
    description: 'Works once: a second use revokes all that came of the same issue',
    example: 'u5Wd8Rk2fJq7ZxPvBn0cYsGt4mHaLe9oTi1XbQyVw3K',
  })
  @IsString()
  refresh_token!: string;
}

@WrongItems()
export class TransactionIdBody extends TokenSentBody {
  @ApiProperty({ type: 'integer', description: 'Of the transaction', example: 1021 })
  @IsInt()
  @IsPositive()
  transaction_id!: number;
}

@WrongItems()
export class CreateTransactionBody extends TokenSentBody {
  @ApiProperty({ type: String, description: 'Of whoever pays', example: 'payer@mail.example' })
  @IsMailAddress()
  email!: string;

  @ApiProperty({ type: Number, description: 'USD to be paid, above 0', example: 100 })
  @IsNumber()
  @IsPositive()
  amount!: number;

  @ApiProperty({ type: String, enum: legacyCurrencies, description: "One of the affiliate's cryptos", example: 'BCH' })
  @IsString()
  crypto_selected!: string;

  @ApiProperty({
    type: String,
    maxLength: 255,
    description: 'Shown again as label and description',
    example: 'order 12',
  })
  @IsText({ min: 1, max: 255 })
  label!: string;
}
