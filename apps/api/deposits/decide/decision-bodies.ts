import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { AmountsBody } from '#door/deposits';
import { UncheckedWhenAbsent } from '#door/http';
import { IsText, Optional } from '#door/rules';

@UncheckedWhenAbsent()
export class AcceptBody {
  @ApiProperty({
    type: Boolean,
    required: false,
    default: false,
    description: 'Re-price from what was received. A late deposit always needs it',
  })
  @Optional()
  @IsBoolean()
  adjust_to_received?: boolean;
}

/** Far more than any address or reason has, and far less than an event may hold. */
const LONGEST = 2_000;

@UncheckedWhenAbsent()
export class ReturnBody {
  @ApiProperty({
    type: String,
    minLength: 1,
    description: 'Not validated: to a wrong address nothing can be returned',
    example: 'bc1q-an-address-of-the-player',
  })
  @IsText({ min: 1, max: LONGEST })
  return_address!: string;

  @ApiProperty({
    type: String,
    minLength: 1,
    required: false,
    description: 'Told again by the webhook',
    example: 'the player asked for it',
  })
  @Optional()
  @IsText({ min: 1, max: LONGEST })
  reason?: string;
}

export class AcceptedBody extends AmountsBody {
  @ApiProperty({ type: 'integer', description: 'The deposit', example: 1021 })
  deposit_id!: number;

  @ApiProperty({ type: String, enum: ['accepted'], description: 'What was decided' })
  decision!: 'accepted';

  @ApiProperty({ type: Boolean, description: 'Whether it was re-priced to the received amount', example: false })
  adjusted!: boolean;

  @ApiProperty({ type: Number, nullable: true, description: 'What was received', example: 0.00171718 })
  confirmed_crypto!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Decimal string, spreads included', example: '59400' })
  crypto_rate!: string | null;
}

export class ReturnedBody {
  @ApiProperty({ type: 'integer', description: 'The deposit', example: 1021 })
  deposit_id!: number;

  @ApiProperty({ type: String, enum: ['returned'], description: 'What was decided' })
  decision!: 'returned';

  @ApiProperty({ type: 'integer', description: 'The queued return; webhooks name it', example: 7 })
  return_id!: number;
}

export class FrozenBody {
  @ApiProperty({ type: 'integer', description: 'The deposit', example: 1021 })
  deposit_id!: number;

  @ApiProperty({ type: String, enum: ['frozen'], description: 'What was decided' })
  decision!: 'frozen';
}
