import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { screeningAlarms } from '#deposits';
import { numberIn, PageBody, PageQuery, pageIn } from '#door/lists';
import { IsDigits, Optional } from '#door/rules';
import { type QueuedReturn, type ReturnFilters, type ReturnState, returnStates } from '#engine';

export class ReturnsQuery extends PageQuery {
  @Optional()
  @IsIn(returnStates)
  @ApiProperty({
    type: String,
    description: 'held: screening objects, an operator has to release it',
    required: false,
    enum: returnStates,
  })
  state?: ReturnState;

  @Optional()
  @IsDigits()
  @ApiProperty({ type: String, required: false, description: 'Those of one deposit', example: '1042' })
  deposit_id?: string;

  @Optional()
  @IsDigits()
  @ApiProperty({ type: String, required: false, description: 'Those of one casino', example: '41' })
  entity_id?: string;
}

export const filtersIn = (query: ReturnsQuery): ReturnFilters => ({
  ...pageIn(query),
  state: query.state,
  depositId: numberIn(query.deposit_id),
  entityId: numberIn(query.entity_id),
});

export class QueuedReturnBody {
  @ApiProperty({ type: Number, example: 7 })
  return_id!: number;

  @ApiProperty({ type: Number, example: 1042 })
  deposit_id!: number;

  @ApiProperty({ type: Number, description: 'The casino', example: 41 })
  entity_id!: number;

  @ApiProperty({ type: String, example: 'BTC' })
  currency!: string;

  @ApiProperty({ type: String, description: 'As the partner named it; nobody has checked it' })
  address!: string;

  @ApiProperty({ type: String, description: 'Decimal text', example: '0.00166667' })
  amount!: string;

  @ApiProperty({
    type: String,
    enum: returnStates,
    description: 'queued: the next cycle tries it; held: screening objects, an operator has to release it',
    example: 'queued',
  })
  state!: string;

  @ApiProperty({
    type: String,
    description: 'null: nothing holds it',
    nullable: true,
    enum: [...screeningAlarms, null],
    example: null,
  })
  held_because!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its transaction, also one that was dropped',
    example: null,
  })
  last_txid!: string | null;

  @ApiProperty({
    type: String,
    description: 'When the partner decided',
    format: 'date-time',
    example: '2026-11-21T14:00:00.000Z',
  })
  queued_at!: string;
}

export class ReturnsBody extends PageBody {
  @ApiProperty({ type: [QueuedReturnBody] })
  returns!: QueuedReturnBody[];
}

export const returnBody = (queued: QueuedReturn): QueuedReturnBody => ({
  return_id: queued.returnId,
  deposit_id: queued.depositId,
  entity_id: queued.entityId,
  currency: queued.currency,
  address: queued.address,
  amount: queued.amount,
  state: queued.state,
  held_because: queued.heldBecause,
  last_txid: queued.lastTxid,
  queued_at: queued.queuedAt.toISOString(),
});
