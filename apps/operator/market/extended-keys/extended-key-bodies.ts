import { ApiProperty } from '@nestjs/swagger';
import { IsText, OptionalOrNull } from '#door/rules';

const XPUB = 'zpub-of-an-account-of-your-own-wallet';

export class NewExtendedKeyBody {
  @IsText({ min: 1, max: 200 })
  @ApiProperty({
    type: String,
    description:
      'xpub, zpub or Ltub give native SegWit addresses of BTC and LTC, ypub or Mtub nested ones; the others take xpub, DASH drkv too',
    example: XPUB,
  })
  xpub!: string;

  @OptionalOrNull()
  @IsText({ max: 255 })
  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    description: 'Whose it is, or its path in the wallet',
    example: "m/84'/0'/0'",
  })
  note?: string | null;
}

export class ExtendedKeyBody {
  @ApiProperty({ type: String, example: 'BTC' })
  ticker!: string;

  @ApiProperty({ type: String, description: 'Public: nothing can be spent with it', example: XPUB })
  xpub!: string;

  @ApiProperty({ type: String, enum: ['first start', 'operator'], description: 'Who made it', example: 'operator' })
  origin!: string;

  @ApiProperty({
    type: String,
    description: 'Whose it is, or its path in the wallet',
    nullable: true,
    example: "m/84'/0'/0'",
  })
  note!: string | null;

  @ApiProperty({ type: Number, description: 'The next address is derived at 0/ and this', example: 120 })
  next_index!: number;

  @ApiProperty({
    type: String,
    description: 'At 0/0: hold it against the first receiving address that the wallet shows',
    example: 'bc1q-the-first-address-of-that-account',
  })
  first_address!: string;
}

export class ExtendedKeysBody {
  @ApiProperty({ type: [ExtendedKeyBody] })
  extended_keys!: readonly ExtendedKeyBody[];
}
