import { ApiProperty } from '@nestjs/swagger';
import { withholdings } from '#deposits';
import { PageBody } from '#door/lists';
import { IsDigits, Optional } from '#door/rules';
import type { Settlement } from '#read-models/deposits';

export class SettlementsQuery {
  @ApiProperty({ type: 'integer', description: 'The casino', example: 1 })
  @IsDigits()
  entity_id!: string;

  @ApiProperty({ type: String, required: false, description: 'next_cursor of the page before' })
  @Optional()
  @IsDigits()
  cursor?: string;
}

export class SettlementBody implements Settlement {
  @ApiProperty({ type: 'integer', example: 1021 })
  deposit_id!: number;

  @ApiProperty({ type: Number, description: 'What the casino is settled', example: 101.5 })
  entity_net_usd!: number;

  @ApiProperty({
    type: String,
    description: 'When the partner accepted',
    format: 'date-time',
    nullable: true,
    example: '2026-01-01T00:04:00.000Z',
  })
  accepted_at!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'null while unsettled', example: 'batch-2026-01-01' })
  batch_id!: string | null;

  @ApiProperty({
    type: String,
    enum: [...withholdings, 'released'],
    nullable: true,
    description: 'Why it is kept out of settlement; released: an admin let it in all the same',
    example: null,
  })
  withheld!: Settlement['withheld'];
}

export class SettlementsBody extends PageBody {
  @ApiProperty({ type: [SettlementBody], description: 'Newest first, at most 1000 at once' })
  settlements!: readonly SettlementBody[];

  @ApiProperty({
    type: Number,
    description: 'Of all accepted live deposits but those withheld, on every page',
    example: 101.5,
  })
  total_usd!: number;
}
