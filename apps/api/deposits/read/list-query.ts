import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import type { DepositDecision } from '#deposits';
import { type Currency, currencies } from '#money';
import { scopeErrors } from '#platform/errors';
import { Optional } from '#platform/http';
import { depositDecisions } from '../deposit-body.ts';
import { wholeNumber } from './whole-number.ts';

const PAGE = 50;
const LARGEST_PAGE = 100;

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

/** No casino has it: what names no number that there can be is looked up and not found, as any other id. */
const NO_CASINO = 0;

/** "An empty one `entity_id is required`, anything but digits `Invalid entity_id`." */
export const entityIdOf = (text: string): number => {
  if (text === '') throw scopeErrors.entityIdRequired();
  if (!/^[0-9]+$/.test(text)) throw scopeErrors.invalidEntityId();
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : NO_CASINO;
};

/** "Above 100 treated as 100; 0 or non-numeric treated as 50." */
export const limitOf = (value: unknown): number => Math.min(wholeNumber(value) || PAGE, LARGEST_PAGE);

/** "Offset negative or not numeric is 0." */
export const offsetOf = (value: unknown): number => wholeNumber(value) ?? 0;

/** Undefined where nobody asked, null where no deposit can have it. */
export const decisionOf = (word: string | undefined): DepositDecision | undefined | null =>
  word === undefined ? undefined : (depositDecisions.find((decision) => decision === word) ?? null);
