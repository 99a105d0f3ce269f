import { IsString } from 'class-validator';
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
import { Int, SentDigits, SentText, SentWord, Text } from '#door/fields';
import { Optional } from '#door/rules';
import { type WaitingKind, waitingKinds } from '#inbox';
import { type Currency, currencies } from '#money';
import type { DepositFilters } from '#read-models/deposits';
import { MayBeStale } from '../http/stale.ts';
import { IsInstantText, instantOf } from './rules.ts';

export class OperatorDepositsQuery {
  @SentDigits.optional('One casino alone')
  entity_id?: string;

  @SentWord.optional(paymentStatuses, 'Payment status')
  status?: PaymentStatus;

  @SentWord.optional(depositDecisions, 'Decision')
  decision?: DepositDecision;

  @SentWord.optional(currencies, 'Currency')
  currency?: Currency;

  @SentText.optional('One player reference, exactly as it was sent')
  gambler_ref?: string;

  @SentWord.optional(kytStatuses, 'KYT status')
  kyt_status?: KytStatus;

  @SentWord.optional(ofacStatuses, 'OFAC status')
  ofac_status?: OfacStatus;

  @SentText.optional('Who decided, as histories and the audit trail name him', 'api key 7', { max: 200 })
  actor?: string;

  @Text.optional('Created at this time or later')
  @Optional()
  @IsInstantText()
  from?: string;

  @Text.optional('Created at this time or earlier')
  @Optional()
  @IsInstantText()
  to?: string;

  @Text.optional('Decided at this time or later')
  @Optional()
  @IsInstantText()
  decided_from?: string;

  @Text.optional('Decided at this time or earlier')
  @Optional()
  @IsInstantText()
  decided_to?: string;

  @SentWord.optional(waitingKinds, 'Those that the inbox counts')
  waiting?: WaitingKind;

  @Text.optional('next_cursor of the page before')
  @Optional()
  @IsString()
  cursor?: string;

  @MayBeStale()
  stale?: 'allow';

  @Int.optional('Deposits on a page', undefined, { default: 50, maximum: 100, minimum: 1 })
  @Optional()
  limit?: unknown;
}

/** Only what was asked for. */
export const filtersOf = (query: OperatorDepositsQuery): DepositFilters => {
  const { entity_id, from, to, decided_from, decided_to, cursor, limit, actor, ...more } = query;
  const { stale: _, waiting: __, ...words } = more;
  const times = { from, to, decidedFrom: decided_from, decidedTo: decided_to };
  const asked = Object.entries(times).flatMap(([name, text]) => {
    const instant = instantOf(text);
    return instant === undefined ? [] : [[name, instant]];
  });
  const by = actor !== undefined && { decided_by: actor };
  return {
    ...words,
    ...by,
    ...(entity_id !== undefined && { entity_id: Number(entity_id) }),
    ...Object.fromEntries(asked),
  };
};
