import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { PageBody } from '#door/lists';
import { IsTime, OptionalOrNull } from '#door/rules';

export class NewAccessTokenBody {
  @OptionalOrNull()
  @IsTime()
  @ApiProperty({ type: String, format: 'date-time', nullable: true, required: false, description: 'null: never' })
  expires_at?: string | null;
}

export class RevocationBody {
  @Equals('revoked')
  @ApiProperty({ type: String, description: 'There is no way back', enum: ['revoked'] })
  status!: 'revoked';
}

export class AccessTokenBody {
  @ApiProperty({ type: Number, example: 5 })
  id!: number;

  @ApiProperty({ type: Number, description: 'The partner account', example: 3 })
  affiliate_id!: number;

  @ApiProperty({ type: String, description: 'revoked: for ever', enum: ['active', 'revoked'], example: 'active' })
  status!: string;

  @ApiProperty({ type: String, description: 'null: never', format: 'date-time', nullable: true, example: null })
  expires_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;
}

export class IssuedAccessTokenBody extends AccessTokenBody {
  @ApiProperty({ type: String, description: 'Shown this once', example: 'Qm9k…' })
  access_token!: string;

  @ApiProperty({ type: String, description: 'Shown this once; it buys the next pair once', example: 'c3Rh…' })
  refresh_token!: string;
}

export class AccessTokensBody extends PageBody {
  @ApiProperty({ type: [AccessTokenBody] })
  access_tokens!: AccessTokenBody[];
}
