import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { type Ticker, tickers } from '#money';
import { IsAddressList } from './address-list.ts';

export class NewAddressesBody {
  @IsIn(tickers)
  @ApiProperty({ type: String, description: 'Whose pool', enum: tickers, example: 'BTC' })
  currency!: Ticker;

  @IsAddressList()
  @ApiProperty({
    type: [String],
    description: 'Of the main network; none of them may be in a pool already, or given to a deposit',
    example: ['bc1q-an-address-of-your-own-wallet'],
  })
  addresses!: string[];
}

export class AddedBody {
  @ApiProperty({ type: Number, description: 'How many addresses the pool has more', example: 1 })
  added!: number;
}

export class PoolChangeBody {
  @IsBoolean()
  @ApiProperty({ type: Boolean, description: 'false: no address can be had', example: false })
  available!: boolean;
}

export class AvailabilityBody {
  @ApiProperty({ type: String, example: 'BTC' })
  ticker!: string;

  @ApiProperty({ type: Boolean, description: 'false: no address can be had', example: true })
  available!: boolean;
}

export class PoolBody extends AvailabilityBody {
  @ApiProperty({ type: Number, description: 'Addresses that the next deposits can have', example: 118 })
  free!: number;

  @ApiProperty({ type: Number, description: 'Addresses that deposits have', example: 2 })
  taken!: number;

  @ApiProperty({ type: Number, description: 'More are derived when fewer are free', example: 40 })
  low_water!: number;

  @ApiProperty({ type: Number, description: 'Up to this many', example: 120 })
  high_water!: number;
}

export class PoolsBody {
  @ApiProperty({ type: [PoolBody] })
  pools!: readonly PoolBody[];
}
