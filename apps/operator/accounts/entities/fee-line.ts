import { ApiProperty } from '@nestjs/swagger';

/** One line of the fee configuration; it is stored as it is sent, so nothing here is checked. */
export class FeeLine {
  @ApiProperty({
    type: String,
    description: 'Who gets it: the service, the partner or the casino',
    enum: ['BF', 'AFFILIATE', 'ENTITY'],
    example: 'BF',
  })
  beneficiary!: string;

  @ApiProperty({
    type: String,
    description: 'SPREAD lowers the rate; FEE is a percent of the player amount',
    enum: ['SPREAD', 'FEE'],
    example: 'SPREAD',
  })
  kind!: string;

  @ApiProperty({
    type: String,
    description: 'ENTITY: deducted from what the casino is settled; a SPREAD is always paid by the player',
    enum: ['PLAYER', 'ENTITY'],
    example: 'PLAYER',
  })
  paid_by!: string;

  @ApiProperty({ type: Number, description: 'A fraction: 0.02 is 2%', example: 0.01 })
  percent!: number;
}
