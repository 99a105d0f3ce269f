import { ApiProperty } from '@nestjs/swagger';
import { IsPositiveDecimal } from '#door/rules';

export class NewPinBody {
  @IsPositiveDecimal({ orNull: true })
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'USD per coin, a decimal above zero; null pins "unavailable"',
    example: '60000.50',
  })
  usd!: string | null;
}

export class PinBody {
  @ApiProperty({ type: String, example: 'BTC' })
  ticker!: string;

  @ApiProperty({ type: Boolean, description: 'false: the providers are asked', example: true })
  pinned!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What is pinned; null: "unavailable", or nothing is',
    example: '60000.5',
  })
  usd!: string | null;
}

export class RateBody extends PinBody {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What a quote would use now; null: none can be made',
    example: '60000.5',
  })
  current!: string | null;
}

export class RatesBody {
  @ApiProperty({ type: [RateBody] })
  rates!: readonly RateBody[];
}
