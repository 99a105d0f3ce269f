import { withholdings } from '#deposits';
import { Int, List, Num, SentDigits, Text, Time, Word } from '#door/fields';
import { PageBody } from '#door/lists';
import { IsDigits } from '#door/rules';
import type { Settlement } from '#read-models/deposits';
import { AsOf, MayBeStale } from '../http/stale.ts';

export class SettlementsQuery {
  @Int('The casino', 1)
  @IsDigits()
  entity_id!: string;

  @SentDigits.optional('next_cursor of the page before')
  cursor?: string;

  @MayBeStale()
  stale?: 'allow';
}

export class SettlementBody implements Settlement {
  @Int('Of the deposit', 1021)
  deposit_id!: number;

  @Num('What the casino is settled', 101.5)
  entity_net_usd!: number;

  @Time.orNull('When the partner accepted', '2026-01-01T00:04:00.000Z')
  accepted_at!: string | null;

  @Text.orNull('null while unsettled', 'batch-2026-01-01')
  batch_id!: string | null;

  @Word.orNull(
    [...withholdings, 'released'],
    'Why it is kept out of settlement; released: an admin let it in all the same',
    null,
  )
  withheld!: Settlement['withheld'];
}

export class SettlementsBody extends PageBody {
  @List(SettlementBody, 'Newest first, at most 1000 at once')
  settlements!: readonly SettlementBody[];

  @AsOf()
  as_of?: string;

  @Num('Of all accepted live deposits but those withheld, on every page', 101.5)
  total_usd!: number;
}
