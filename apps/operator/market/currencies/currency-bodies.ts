import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';

export class CurrencyChangeBody {
  @IsBoolean()
  @ApiProperty({ type: Boolean, description: 'false: switched off for everyone', example: false })
  enabled!: boolean;
}

export class CurrencyBody {
  @ApiProperty({ type: String, example: 'BTC' })
  ticker!: string;

  @ApiProperty({ type: Boolean, description: 'false: switched off for everyone', example: true })
  enabled!: boolean;
}

export class CurrenciesBody {
  @ApiProperty({ type: [CurrencyBody] })
  currencies!: readonly CurrencyBody[];
}
