import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { type DepositDecision, depositDecisions } from '#deposits';
import { LARGEST_PAGE, PAGE, wholeNumber } from '#door/lists';
import { Optional } from '#door/rules';
import { type Currency, currencies } from '#money';

export class DepositListQuery {
  @ApiProperty({ type: 'integer', description: 'The casino', example: 1 })
  @IsString()
  entity_id!: string;

  @ApiProperty({ type: String, required: false, enum: depositDecisions, description: 'Unknown: an empty list' })
  @Optional()
  @IsString()
  decision?: string;

  @ApiProperty({ type: String, required: false, enum: currencies, description: 'One currency alone' })
  @Optional()
  @IsIn(currencies)
  currency?: Currency;

  // Whatever these two hold means something: they are read, not validated.
  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Deposits on a page',
    default: PAGE,
    maximum: LARGEST_PAGE,
    minimum: 1,
  })
  @Optional()
  limit?: unknown;

  @ApiProperty({ type: 'integer', required: false, description: 'How many to pass over', default: 0, minimum: 0 })
  @Optional()
  offset?: unknown;
}

/** "Offset negative or not numeric is 0." */
export const offsetOf = (value: unknown): number => wholeNumber(value) ?? 0;

/** Undefined where nobody asked, null where no deposit can have it. */
export const decisionOf = (word: string | undefined): DepositDecision | undefined | null =>
  word === undefined ? undefined : (depositDecisions.find((decision) => decision === word) ?? null);
