import { Int, Json, Num, Text, Time, Word, Words } from '#door/fields';
import { type TransactionStatus, transactionStatuses } from '#legacy-transactions';
import { type LegacyCurrency, legacyCurrencies } from '#money';

const TOKEN = ['The token that was sent', 'kq3Zs0l4vB9xYH2m7uTfRjC1nPw'] as const;

const RefreshToken = () => Text('Buys the next pair of tokens, once', 'u5Wd8Rk2fJq7ZxPvBn0cYsGt4mHaLe9oTi1XbQyVw3K');

export class TransactionBody {
  @Int('Of the transaction', 1021)
  transaction_id!: number;

  @Text.orNull('As sent; null once erased', 'payer@mail.example')
  email!: string | null;

  @Text('The label', 'order 12')
  description!: string;

  @Text('Where to pay', 'bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6')
  wallet_address!: string;

  @Num('What to pay: USD at the market rate, rounded up to 8 decimals', 0.25)
  crypto_amount!: number;

  @Num('As sent', 100)
  usd_amount!: number;

  @Time('When it was made', '2026-01-01T00:00:00.000Z')
  created_at!: string;

  @Text('As sent', 'order 12')
  label!: string;

  @Word(legacyCurrencies, 'As sent', 'BCH')
  crypto_currency!: LegacyCurrency;

  @Word(transactionStatuses, 'How far it is', 'Started')
  status!: TransactionStatus;
}

export class CreatedTransactionBody extends TransactionBody {
  @Text("A PNG as a data URL: the coin's payment URI as a QR code", 'data:image/png;base64,iVBORw0KGgo…')
  qr_code!: string;
}

export class CancelledBody {
  @Int('Of the transaction', 1021)
  transaction_id!: number;

  @Word(['Cancelled'], 'Always Cancelled', 'Cancelled')
  status!: TransactionStatus;

  @RefreshToken()
  refresh_token!: string;
}

export class CryptosBody {
  @Words(legacyCurrencies, 'What the affiliate may use', ['BTC', 'BCH'])
  cryptos!: LegacyCurrency[];

  @Text(...TOKEN)
  access_token!: string;

  @RefreshToken()
  refresh_token!: string;
}

export class PricesBody {
  @Json(
    'USD a coin, of every enabled coin that has a rate',
    { BTC: 60000, DASH: 30 },
    { additionalProperties: { type: 'number' } },
  )
  prices!: Readonly<Record<string, number>>;

  @Text.optional(...TOKEN)
  access_token?: string;
}

export class InfoBody {
  @Int('The affiliate', 3)
  affiliate_id!: number;

  @Text.orNull('null: not configured', 'northern')
  subdomain!: string | null;

  @Text.orNull('A URL; null: not configured', 'https://a.example/l.png')
  logo!: string | null;

  @Text.orNull('A ticker; null: not configured', 'BTC')
  default_coin!: string | null;
}

export class TokenPairBody {
  @Text('The next access token', 'kq3Zs0l4vB9xYH2m7uTfRjC1nPwE6aDgLo8iVyXtMbQ')
  access_token!: string;

  @RefreshToken()
  refresh_token!: string;
}
