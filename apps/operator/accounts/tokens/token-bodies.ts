import { ApiProperty } from '@nestjs/swagger';
import { Equals, IsIn } from 'class-validator';
import { PageBody } from '#door/lists';
import { IsText, IsTime, OptionalOrNull } from '#door/rules';
import { operatorRoles } from '#partners';

export class NewTokenBody {
  @IsIn(operatorRoles)
  @ApiProperty({
    type: String,
    description: 'admin: everything; ops: all but accounts and signals; auditor: reads only; engine: signals only',
    enum: operatorRoles,
  })
  role!: (typeof operatorRoles)[number];

  @OptionalOrNull()
  @IsText({ max: 255 })
  @ApiProperty({ type: String, description: 'Label', nullable: true, required: false, example: 'Night shift' })
  name?: string | null;

  @OptionalOrNull()
  @IsTime()
  @ApiProperty({ type: String, format: 'date-time', nullable: true, required: false, description: 'null: never' })
  expires_at?: string | null;
}

export class TokenRevocationBody {
  @Equals('revoked')
  @ApiProperty({ type: String, description: 'There is no way back', enum: ['revoked'] })
  status!: 'revoked';
}

export class TokenBody {
  @ApiProperty({ type: Number, example: 4 })
  id!: number;

  @ApiProperty({
    type: String,
    description: 'admin: everything; ops: all but accounts and signals; auditor: reads only; engine: signals only',
    enum: operatorRoles,
    example: 'ops',
  })
  role!: string;

  @ApiProperty({ type: String, description: 'Label', nullable: true, example: 'Night shift' })
  name!: string | null;

  @ApiProperty({ type: String, description: 'revoked: for ever', enum: ['active', 'revoked'], example: 'active' })
  status!: string;

  @ApiProperty({ type: String, description: 'null: never', format: 'date-time', nullable: true, example: null })
  expires_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-02T03:04:05.678Z' })
  created_at!: string;
}

export class CreatedTokenBody extends TokenBody {
  @ApiProperty({ type: String, description: 'Shown this once', example: 'mX9d…' })
  token!: string;
}

export class TokensBody extends PageBody {
  @ApiProperty({ type: [TokenBody] })
  tokens!: TokenBody[];
}
