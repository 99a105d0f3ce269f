import { ApiProperty } from '@nestjs/swagger';
import { beneficiaries, chargeKinds, payers } from '#deposits';

export class ChargeBody {
  @ApiProperty({
    type: String,
    enum: beneficiaries,
    description: 'Who gets it: the service, the partner or the casino',
    example: 'BF',
  })
  beneficiary!: string;

  @ApiProperty({
    type: String,
    enum: chargeKinds,
    description: 'SPREAD lowers the rate; FEE is a percent of the player amount',
    example: 'SPREAD',
  })
  kind!: string;

  @ApiProperty({
    type: String,
    enum: payers,
    description: 'ENTITY: deducted from what the casino is settled',
    example: 'PLAYER',
  })
  paid_by!: string;

  @ApiProperty({ type: Number, description: 'As a fraction: 0.02 is 2%', example: 0.01 })
  percent!: number;

  @ApiProperty({ type: Number, description: 'In USD', example: 1.03 })
  amount_usd!: number;

  @ApiProperty({ type: Number, nullable: true, description: "In the deposit's currency", example: 0.0000171718 })
  amount_crypto!: number | null;
}
