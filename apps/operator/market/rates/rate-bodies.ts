import { Flag, List, Text } from '#door/fields';
import { IsPositiveDecimal } from '#door/rules';

export class NewPinBody {
  @IsPositiveDecimal({ orNull: true })
  @Text.orNull('USD per coin, a decimal above zero; null pins "unavailable"', '60000.50')
  usd!: string | null;
}

export class PinBody {
  @Text('Which coin', 'BTC')
  ticker!: string;

  @Flag('false: the providers are asked', true)
  pinned!: boolean;

  @Text.orNull('What is pinned; null: "unavailable", or nothing is', '60000.5')
  usd!: string | null;
}

export class RateBody extends PinBody {
  @Text.orNull('What a quote would use now; null: none can be made', '60000.5')
  current!: string | null;
}

export class RatesBody {
  @List(RateBody, 'All of them')
  rates!: readonly RateBody[];
}
