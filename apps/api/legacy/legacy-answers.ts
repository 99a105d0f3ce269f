import { ApiProperty } from '@nestjs/swagger';
import { type TransactionStatus, transactionStatuses } from '#legacy-transactions';
import { type LegacyCurrency, legacyCurrencies } from '#money';

const AccessToken = (required = true) =>
  ApiProperty({
    type: String,
    required,
    description: 'The token that was sent',
    example: 'kq3Zs0l4vB9xYH2m7uTfRjC1nPw',
  });

const RefreshToken = () =>
  ApiProperty({
    type: String,
    description: 'Buys the next pair of tokens, once',
    example: 'u5Wd8Rk2fJq7ZxPvBn0cYsGt4mHaLe9oTi1XbQyVw3K',
  });

export class TransactionBody {
  @ApiProperty({ type: 'integer', description: 'Of the transaction', example: 1021 })
  transaction_id!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As sent; null once erased',
    example: 'payer@mail.example',
  })
  email!: string | null;

  @ApiProperty({ type: String, description: 'The label', example: 'order 12' })
  description!: string;

  @ApiProperty({
    type: String,
    description: 'Where to pay',
    example: 'bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6',
  })
  wallet_address!: string;

  @ApiProperty({
    type: Number,
    description: 'What to pay: USD at the market rate, rounded up to 8 decimals',
    example: 0.25,
  })
  crypto_amount!: number;

  @ApiProperty({ type: Number, description: 'As sent', example: 100 })
  usd_amount!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When it was made',
    example: '2026-01-01T00:00:00.000Z',
  })
  created_at!: string;

  @ApiProperty({ type: String, description: 'As sent', example: 'order 12' })
  label!: string;

  @ApiProperty({ type: String, enum: legacyCurrencies, description: 'As sent', example: 'BCH' })
  crypto_currency!: LegacyCurrency;

  @ApiProperty({ type: String, enum: transactionStatuses, description: 'How far it is', example: 'Started' })
  status!: TransactionStatus;
}

export class CreatedTransactionBody extends TransactionBody {
  @ApiProperty({
    type: String,
    description: "A PNG as a data URL: the coin's payment URI as a QR code",
    example: 'data:image/png;base64,iVBORw0KGgo…',
  })
  qr_code!: string;
}

export class CancelledBody {
  @ApiProperty({ type: 'integer', description: 'Of the transaction', example: 1021 })
  transaction_id!: number;

  @ApiProperty({ type: String, enum: ['Cancelled'], description: 'Always Cancelled', example: 'Cancelled' })
  status!: TransactionStatus;

  @RefreshToken()
  refresh_token!: string;
}

export class CryptosBody {
  @ApiProperty({
    type: [String],
    enum: legacyCurrencies,
    description: 'What the affiliate may use',
    example: ['BTC', 'BCH'],
  })
  cryptos!: LegacyCurrency[];

  @AccessToken()
  access_token!: string;

  @RefreshToken()
  refresh_token!: string;
}

export class PricesBody {
  @ApiProperty({
    type: Object,
    additionalProperties: { type: 'number' },
    description: 'USD a coin, of every enabled coin that has a rate',
    example: { BTC: 60000, DASH: 30 },
  })
  prices!: Readonly<Record<string, number>>;

  @AccessToken(false)
  access_token?: string;
}

export class InfoBody {
  @ApiProperty({ type: 'integer', description: 'The affiliate', example: 3 })
  affiliate_id!: number;

  @ApiProperty({ type: String, nullable: true, description: 'null: not configured', example: 'northern' })
  subdomain!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'A URL; null: not configured',
    example: 'https://a.example/l.png',
  })
  logo!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'A ticker; null: not configured', example: 'BTC' })
  default_coin!: string | null;
}

export class TokenPairBody {
  @ApiProperty({
    type: String,
    description: 'The next access token',
    example: 'kq3Zs0l4vB9xYH2m7uTfRjC1nPwE6aDgLo8iVyXtMbQ',
  })
  access_token!: string;

  @RefreshToken()
  refresh_token!: string;
}
