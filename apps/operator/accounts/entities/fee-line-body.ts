import { ApiProperty } from '@nestjs/swagger';
import { beneficiaries, chargeKinds, payers } from '#deposits';

/** One line of the fee configuration; it is stored as it is sent, so nothing here is checked. */
export class FeeLineBody {
  @ApiProperty({
    type: String,
    description: 'Who gets it: the service, the partner or the casino',
    enum: beneficiaries,
    example: 'BF',
  })
  beneficiary!: string;

  @ApiProperty({
    type: String,
    description: 'SPREAD lowers the rate; FEE is a percent of the player amount',
    enum: chargeKinds,
    example: 'SPREAD',
  })
  kind!: string;

  @ApiProperty({
    type: String,
    description: 'ENTITY: deducted from what the casino is settled; a SPREAD is always paid by the player',
    enum: payers,
    example: 'PLAYER',
  })
  paid_by!: string;

  @ApiProperty({ type: Number, description: 'A fraction: 0.02 is 2%', example: 0.01 })
  percent!: number;
}
