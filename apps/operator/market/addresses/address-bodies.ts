import { Flag, List, Num, SentFlag, SentWord, Text } from '#door/fields';
import { rule } from '#door/rules';
import { type Ticker, tickers } from '#money';

const MOST = 10_000;
const ADDRESS = /^[!-~]{1,128}$/;

const isAddress = (value: unknown): boolean => typeof value === 'string' && ADDRESS.test(value);

const IsAddressList = (): PropertyDecorator =>
  rule({
    name: 'isAddressList',
    message: `must be a list of 1 to ${MOST} addresses, each 1 to 128 printable characters without spaces`,
    holds: (value) => Array.isArray(value) && value.length > 0 && value.length <= MOST && value.every(isAddress),
  });

export class NewAddressesBody {
  @SentWord(tickers, 'Whose pool', 'BTC')
  currency!: Ticker;

  @IsAddressList()
  @List(String, 'Of the main network; none of them may be in a pool already, or given to a deposit', [
    'bc1q-an-address-of-your-own-wallet',
  ])
  addresses!: string[];
}

export class AddedBody {
  @Num('How many addresses the pool has more', 1)
  added!: number;
}

export class PoolChangeBody {
  @SentFlag('false: no address can be had', false)
  available!: boolean;
}

export class AvailabilityBody {
  @Text('Which coin', 'BTC')
  ticker!: string;

  @Flag('false: no address can be had', true)
  available!: boolean;
}

export class PoolBody extends AvailabilityBody {
  @Num('Addresses that the next deposits can have', 118)
  free!: number;

  @Num('Addresses that deposits have', 2)
  taken!: number;

  @Num('More are derived when fewer are free', 40)
  low_water!: number;

  @Num('Up to this many', 120)
  high_water!: number;
}

export class PoolsBody {
  @List(PoolBody, 'All of them')
  pools!: readonly PoolBody[];
}
