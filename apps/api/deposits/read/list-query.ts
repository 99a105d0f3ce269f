import { IsString } from 'class-validator';
import { type DepositDecision, depositDecisions } from '#deposits';
import { DepositBody } from '#door/deposits';
import { Int, List, SentWord, Word } from '#door/fields';
import { LARGEST_PAGE, PAGE, wholeNumber } from '#door/lists';
import { Optional } from '#door/rules';
import { type Currency, currencies } from '#money';

export class DepositListBody {
  @List(DepositBody, 'Newest first')
  deposits!: DepositBody[];

  @Int('All that match, on every page', 1)
  total!: number;
}

export class DepositListQuery {
  @Int('The casino', 1)
  @IsString()
  entity_id!: string;

  @Word.optional(depositDecisions, 'Unknown: an empty list')
  @Optional()
  @IsString()
  decision?: string;

  @SentWord.optional(currencies, 'One currency alone')
  currency?: Currency;

  // Whatever these two hold means something: they are read, not validated.
  @Int.optional('Deposits on a page', undefined, { default: PAGE, maximum: LARGEST_PAGE, minimum: 1 })
  @Optional()
  limit?: unknown;

  @Int.optional('How many to pass over', undefined, { default: 0, minimum: 0 })
  @Optional()
  offset?: unknown;
}

/** "Offset negative or not numeric is 0." */
export const offsetOf = (value: unknown): number => wholeNumber(value) ?? 0;

/** Undefined where nobody asked, null where no deposit can have it. */
export const decisionOf = (word: string | undefined): DepositDecision | undefined | null =>
  word === undefined ? undefined : (depositDecisions.find((decision) => decision === word) ?? null);
