import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { PageBody } from '#door/lists';
import { IsDigits, IsText, Optional, OptionalOrNull } from '#door/rules';
import { kycStates, type SettableState, settableStates } from '#kyc';

export class PlayerRefBody {
  @ApiProperty({ type: Number, description: 'Casino', example: 41 })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  entity_id!: number;

  @ApiProperty({
    type: String,
    description: "The casino's own name for the player",
    maxLength: 255,
    example: 'player-9',
  })
  @IsText({ min: 1, max: 255 })
  gambler_ref!: string;
}

export class SetPlayerBody extends PlayerRefBody {
  @ApiProperty({
    type: String,
    description: 'Where the identity verification stands',
    enum: settableStates,
    example: 'verified',
  })
  @IsIn(settableStates)
  kyc!: SettableState;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    maxLength: 32,
    description: 'Names the identity of the player; left out or null: the one that is known stays',
    example: '+46701234567',
  })
  @OptionalOrNull()
  @IsText({ min: 1, max: 32 })
  phone?: string | null;
}

export class PlayersQuery {
  @ApiProperty({ type: String, required: false, description: 'Casino', example: '41' })
  @Optional()
  @IsText({ min: 1 })
  entity_id?: string;

  @ApiProperty({ type: String, description: 'Exactly as it was sent', required: false, example: 'player-9' })
  @Optional()
  @IsText()
  gambler_ref?: string;

  @Optional()
  @IsDigits()
  @ApiProperty({ type: String, required: false, description: 'At most and by default 500', example: '100' })
  limit?: string;

  @Optional()
  @IsText()
  @ApiProperty({
    type: String,
    required: false,
    description: 'next_cursor of the page before',
    example: 'NDEgcGxheWVyLTk',
  })
  cursor?: string;
}

export class PlayerBody {
  @ApiProperty({ type: Number, description: 'The casino', example: 41 })
  entity_id!: number;

  @ApiProperty({ type: String, description: "The casino's own name for the player", example: 'player-9' })
  gambler_ref!: string;

  @ApiProperty({
    type: String,
    enum: kycStates,
    description: 'link_sent: a link is under way that the player has not used',
    example: 'verified',
  })
  kyc!: string;

  @ApiProperty({ type: String, nullable: true, description: 'As of the last call', example: '+46701234567' })
  phone!: string | null;
}

export class PlayersBody extends PageBody {
  @ApiProperty({ type: [PlayerBody] })
  players!: PlayerBody[];
}

export class KycServiceBody {
  @ApiProperty({ type: Boolean, description: 'false: create answers 503, as when the provider is down', example: true })
  @IsBoolean()
  available!: boolean;
}
