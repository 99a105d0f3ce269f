import { ApiProperty } from '@nestjs/swagger';

/** One line of the fee configuration; it is stored as it is sent, so nothing here is checked. */
export class FeeLine {
  @ApiProperty({ type: String, enum: ['BF', 'AFFILIATE', 'ENTITY'], example: 'BF' })
  beneficiary!: string;

  @ApiProperty({ type: String, enum: ['SPREAD', 'FEE'], example: 'SPREAD' })
  kind!: string;

  @ApiProperty({ type: String, enum: ['PLAYER', 'ENTITY'], example: 'PLAYER' })
  paid_by!: string;

  @ApiProperty({ type: Number, description: 'A fraction: 0.02 is 2%', example: 0.01 })
  percent!: number;
}
