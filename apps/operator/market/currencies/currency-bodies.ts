import { Flag, List, SentFlag, Text } from '#door/fields';

export class CurrencyChangeBody {
  @SentFlag('false: switched off for everyone', false)
  enabled!: boolean;
}

export class CurrencyBody {
  @Text('Which coin', 'BTC')
  ticker!: string;

  @Flag('false: switched off for everyone', true)
  enabled!: boolean;
}

export class CurrenciesBody {
  @List(CurrencyBody, 'All of them')
  currencies!: readonly CurrencyBody[];
}
