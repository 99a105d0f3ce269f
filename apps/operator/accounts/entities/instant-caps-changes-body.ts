import { ApiProperty } from '@nestjs/swagger';
import { IsNumber, Min } from 'class-validator';
import { Optional } from '#door/rules';

export class InstantCapsChangesBody {
  @Optional()
  @IsNumber()
  @Min(0)
  @ApiProperty({
    type: Number,
    description: 'Most that a first instant deposit may be quoted at',
    required: false,
    default: 500,
  })
  first_usd?: number;

  @Optional()
  @IsNumber()
  @Min(0)
  @ApiProperty({
    type: Number,
    description: 'The same for a player who had a deposit accepted and confirmed',
    required: false,
    default: 1500,
  })
  returning_usd?: number;

  @Optional()
  @IsNumber()
  @Min(0)
  @ApiProperty({
    type: Number,
    description: 'Most that may come in for a first one; above it waits for KYT',
    required: false,
    default: 600,
  })
  received_first_usd?: number;

  @Optional()
  @IsNumber()
  @Min(0)
  @ApiProperty({ type: Number, description: 'The same for a returning player', required: false, default: 1600 })
  received_returning_usd?: number;
}
