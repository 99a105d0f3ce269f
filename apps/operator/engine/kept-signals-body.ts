import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { numberIn, PageBody, PageQuery, pageIn } from '#door/lists';
import { IsDigits, Optional } from '#door/rules';
import { type KeptOutcome, type KeptSignal, keptOutcomes, type SignalFilters } from '#engine';

export class KeptSignalsQuery extends PageQuery {
  @Optional()
  @IsDigits()
  @ApiProperty({ type: String, required: false, description: 'Those of one deposit', example: '1042' })
  deposit_id?: string;

  @Optional()
  @IsDigits()
  @ApiProperty({ type: String, required: false, description: 'Those of one legacy transaction', example: '1021' })
  transaction_id?: string;

  @Optional()
  @IsIn(keptOutcomes)
  @ApiProperty({ type: String, description: 'What became of it', required: false, enum: keptOutcomes })
  outcome?: KeptOutcome;
}

export const filtersIn = (query: KeptSignalsQuery): SignalFilters => ({
  ...pageIn(query),
  depositId: numberIn(query.deposit_id),
  transactionId: numberIn(query.transaction_id),
  outcome: query.outcome,
});

export class KeptSignalBody {
  @ApiProperty({ type: String, description: 'As it was sent', example: 'sig-1' })
  signal_id!: string;

  @ApiProperty({ type: Number, description: 'null: it names none that is known', nullable: true, example: 1042 })
  deposit_id!: number | null;

  @ApiProperty({ type: Number, description: 'Of a legacy transaction; null otherwise', nullable: true, example: null })
  transaction_id!: number | null;

  @ApiProperty({
    type: String,
    description: 'null: it has none that can be read',
    nullable: true,
    example: 'payment.confirmed',
  })
  type!: string | null;

  @ApiProperty({
    type: String,
    description: 'When the fact was; null: none that can be read',
    format: 'date-time',
    nullable: true,
    example: '2026-11-21T14:00:00.000Z',
  })
  at!: string | null;

  @ApiProperty({
    type: String,
    enum: [...keptOutcomes, null],
    nullable: true,
    description: 'null: not known yet, or its instance died; the same signal sent again is taken up again',
    example: 'rejected',
  })
  outcome!: string | null;

  @ApiProperty({
    type: String,
    description: 'Why it was rejected or ignored',
    nullable: true,
    example: 'the payment was never seen',
  })
  detail!: string | null;

  @ApiProperty({
    type: String,
    description: 'When it came in',
    format: 'date-time',
    example: '2026-11-21T14:00:01.000Z',
  })
  taken_at!: string;

  @ApiProperty({ type: String, description: 'Who sent it', example: 'operator token 2' })
  taken_by!: string;

  @ApiProperty({ description: 'As it was sent', example: { signal_id: 'sig-1', type: 'payment.confirmed' } })
  payload!: unknown;
}

export class KeptSignalsBody extends PageBody {
  @ApiProperty({ type: [KeptSignalBody] })
  signals!: KeptSignalBody[];
}

export const keptSignalBody = ({
  signalId,
  depositId,
  transactionId,
  at,
  takenAt,
  takenBy,
  ...same
}: KeptSignal): KeptSignalBody => ({
  ...same,
  signal_id: signalId,
  deposit_id: depositId,
  transaction_id: transactionId,
  at: at?.toISOString() ?? null,
  taken_at: takenAt.toISOString(),
  taken_by: takenBy,
});
