import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsNumber, IsPositive } from 'class-validator';
import { EchoedAskedBody } from '#door/deposits';
import { UncheckedWhenAbsent } from '#door/http';
import { IsMailAddress, IsText, Optional, OptionalOrNull } from '#door/rules';
import { type Currency, currencies } from '#money';

@UncheckedWhenAbsent()
export class CreateDepositBody extends EchoedAskedBody {
  @ApiProperty({ type: 'integer', description: "One of the affiliate's casinos", example: 1 })
  @IsInt()
  entity_id!: number;

  @ApiProperty({ type: String, enum: currencies, description: 'Enabled for the affiliate', example: 'BTC' })
  @IsIn(currencies)
  currency!: Currency;

  @ApiProperty({ type: String, maxLength: 255, description: 'Your own stable name for the player', example: 'p-1021' })
  @IsText({ min: 1, max: 255 })
  gambler_ref!: string;

  @ApiProperty({ type: String, maxLength: 32, description: 'KYC links go there by SMS', example: '+15550100' })
  @IsText({ min: 1, max: 32 })
  phone!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'The receipt goes there too',
    example: 'player@mail.example',
  })
  @OptionalOrNull()
  @IsMailAddress()
  email?: string | null;

  @ApiProperty({
    type: Number,
    description: 'USD to credit the player, or with amount_is_crypto what the player will send',
    example: 100,
  })
  @IsNumber()
  @IsPositive()
  amount!: number;

  @ApiProperty({
    type: Boolean,
    required: false,
    default: false,
    description: 'Whether amount is the crypto that the player will send',
  })
  @Optional()
  @IsBoolean()
  amount_is_crypto?: boolean;

  @ApiProperty({ type: Boolean, required: false, default: false, description: 'May be accepted before confirmation' })
  @Optional()
  @IsBoolean()
  no_conf?: boolean;

  @ApiProperty({
    type: Boolean,
    required: false,
    default: false,
    description: 'May be accepted before KYT; a no_conf too',
  })
  @Optional()
  @IsBoolean()
  instant?: boolean;
}
