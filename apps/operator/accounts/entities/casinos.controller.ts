import { Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, PickType } from '@nestjs/swagger';
import { OperatorRoutes } from '#door/access';
import { List } from '#door/fields';
import { AffiliatePageQuery, numberIn, PageBody, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import type { Accounts } from '#partners';
import { ACCOUNTS } from '../parts.ts';
import { EntityBody } from './entity-bodies.ts';

class CasinoNameBody extends PickType(EntityBody, ['id', 'affiliate_id', 'name', 'mode', 'status'] as const) {}

class CasinosBody extends PageBody {
  @List(CasinoNameBody, 'A page of them')
  casinos!: readonly CasinoNameBody[];
}

@OperatorRoutes('operator/casinos', 'Operator: console', 'admin', 'ops', 'auditor')
export class CasinosController {
  @Inject(ACCOUNTS) private readonly accounts!: Accounts;

  @Get()
  @Described('listCasinoNames', 'What the casinos are called, for those too who may see no account')
  @ApiOkResponse({ type: CasinosBody })
  async list(@Query() query: AffiliatePageQuery): Promise<CasinosBody> {
    const page = { affiliateId: numberIn(query.affiliate_id), ...pageIn(query) };
    const { items, next_cursor } = await this.accounts.entities.names(page);
    return { casinos: items, next_cursor };
  }
}
