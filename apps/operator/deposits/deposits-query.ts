import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import {
  type DepositDecision,
  depositDecisions,
  type KytStatus,
  kytStatuses,
  type OfacStatus,
  ofacStatuses,
  type PaymentStatus,
  paymentStatuses,
} from '#deposits';
import { IsDigits, IsText, Optional } from '#door/rules';
import { type Currency, currencies } from '#money';
import type { DepositFilters } from '#read-models/deposits';
import { IsInstantText, instantOf } from './rules.ts';

const filter = (description: string, words?: readonly string[]) =>
  ApiProperty({ type: String, required: false, description, ...(words && { enum: [...words] }) });

export class OperatorDepositsQuery {
  @filter('One casino alone')
  @Optional()
  @IsDigits()
  entity_id?: string;

  @filter('Payment status', paymentStatuses)
  @Optional()
  @IsIn(paymentStatuses)
  status?: PaymentStatus;

  @filter('Decision', depositDecisions)
  @Optional()
  @IsIn(depositDecisions)
  decision?: DepositDecision;

  @filter('Currency', currencies)
  @Optional()
  @IsIn(currencies)
  currency?: Currency;

  @filter('One player reference, exactly as it was sent')
  @Optional()
  @IsText()
  gambler_ref?: string;

  @filter('KYT status', kytStatuses)
  @Optional()
  @IsIn(kytStatuses)
  kyt_status?: KytStatus;

  @filter('OFAC status', ofacStatuses)
  @Optional()
  @IsIn(ofacStatuses)
  ofac_status?: OfacStatus;

  @filter('Created at this time or later')
  @Optional()
  @IsInstantText()
  from?: string;

  @filter('Created at this time or earlier')
  @Optional()
  @IsInstantText()
  to?: string;

  @filter('next_cursor of the page before')
  @Optional()
  @IsString()
  cursor?: string;

  @ApiProperty({
    type: 'integer',
    description: 'Deposits on a page',
    required: false,
    default: 50,
    maximum: 100,
    minimum: 1,
  })
  @Optional()
  limit?: unknown;
}

/** Only what was asked for. */
export const filtersOf = ({ entity_id, from, to, cursor, limit, ...words }: OperatorDepositsQuery): DepositFilters => {
  const [earliest, latest] = [instantOf(from), instantOf(to)];
  return {
    ...words,
    ...(entity_id !== undefined && { entity_id: Number(entity_id) }),
    ...(earliest !== undefined && { from: earliest }),
    ...(latest !== undefined && { to: latest }),
  };
};
