import { ApiProperty } from '@nestjs/swagger';
import { AmountsBody } from '#door/deposits';
import { currencies } from '#money';

export class CreatedBody extends AmountsBody {
  @ApiProperty({ type: String, enum: ['ok'], description: 'A deposit was made' })
  status!: 'ok';

  @ApiProperty({ type: 'integer', description: 'For later calls, and to match webhooks', example: 1021 })
  deposit_id!: number;

  @ApiProperty({ type: 'integer', description: 'The underlying payment', example: 1021 })
  transaction_id!: number;

  @ApiProperty({ type: String, description: 'As sent', example: 'p-1021' })
  gambler_ref!: string;

  @ApiProperty({
    type: String,
    description: 'Where the player pays',
    example: 'bc1q-the-address-of-this-deposit',
  })
  address!: string;

  @ApiProperty({ type: String, enum: currencies, description: 'As sent', example: 'BTC' })
  currency!: string;

  @ApiProperty({ type: Number, description: 'USD a coin: the market rate less all spreads', example: 59400 })
  crypto_rate!: number;

  @ApiProperty({ type: Number, description: 'USD a coin when the quote was made', example: 60000 })
  market_rate!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Thirty minutes after the quote',
    example: '2026-01-01T00:30:00.000Z',
  })
  expires_at!: string;
}

const toldToPlayer = (example: string) =>
  ApiProperty({ type: String, description: 'To be shown to the player; call again later', example });

/** No deposit was made: the player has to follow a link first. */
export class KycRequiredBody {
  @ApiProperty({ type: String, enum: ['kyc_required'], description: 'A verification link was sent by SMS' })
  status!: 'kyc_required';

  @toldToPlayer('Identity verification required. A verification link was sent by SMS.')
  message!: string;
}

/** No deposit was made: the verification is not finished. */
export class KycPendingBody {
  @ApiProperty({ type: String, enum: ['kyc_pending'], description: 'The verification is under way' })
  status!: 'kyc_pending';

  @toldToPlayer('Identity verification is pending.')
  message!: string;
}
