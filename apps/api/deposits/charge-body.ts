import { ApiProperty } from '@nestjs/swagger';

export class ChargeBody {
  @ApiProperty({ type: String, enum: ['BF', 'AFFILIATE', 'ENTITY'], example: 'BF' })
  beneficiary!: string;

  @ApiProperty({ type: String, enum: ['SPREAD', 'FEE'], example: 'SPREAD' })
  kind!: string;

  @ApiProperty({ type: String, enum: ['PLAYER', 'ENTITY'], example: 'PLAYER' })
  paid_by!: string;

  @ApiProperty({ type: Number, description: 'As a fraction: 0.02 is 2%', example: 0.01 })
  percent!: number;

  @ApiProperty({ type: Number, example: 1.03 })
  amount_usd!: number;

  @ApiProperty({ type: Number, nullable: true, example: 0.0000171718 })
  amount_crypto!: number | null;
}
