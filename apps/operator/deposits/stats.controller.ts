import { Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { type DepositDecision, depositDecisions } from '#deposits';
import { OperatorRoutes } from '#door/access';
import { List, Num, SentDigits, Word } from '#door/fields';
import { listed, numberIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type Currency, currencies } from '#money';
import type { Stat } from '#read-models/deposits';
import { AsOf, datedWhere, MayBeStale } from '../http/stale.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { PageErrors } from './route-errors.ts';

class StatsQuery {
  @SentDigits.optional('One casino alone', '41')
  entity_id?: string;

  @MayBeStale()
  stale?: 'allow';
}

class StatBody implements Stat {
  @Word(depositDecisions, 'How they were decided', 'accepted')
  decision!: DepositDecision;

  @Word(currencies, 'In which coin', 'BTC')
  currency!: Currency;

  @Num('How many', 4711)
  deposits!: number;

  @Num('What accepted live ones are worth to their casinos; 0 of all others', 123_456.78)
  entity_net_usd!: number;
}

class StatsBody {
  @List(StatBody, 'A line for each decision in each coin that there is a deposit of')
  stats!: readonly StatBody[];

  @AsOf()
  as_of?: string;
}

@OperatorRoutes('operator/stats', 'Operator: console', 'admin', 'ops', 'auditor')
export class StatsController {
  @Inject(OPERATOR_DEPOSITS) private readonly parts!: OperatorDepositsParts;

  @Get()
  @Described('readStats', 'How many deposits there are and what they are worth, from kept totals')
  @ApiOkResponse({ type: StatsBody })
  @PageErrors()
  async read(@Query() { entity_id, stale }: StatsQuery): Promise<StatsBody> {
    const { reads } = this.parts;
    const dated = await datedWhere(stale, reads.movedAt);
    return { stats: listed(await reads.stats(numberIn(entity_id), { stale: stale !== undefined })), ...dated };
  }
}
