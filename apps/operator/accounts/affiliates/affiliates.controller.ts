import { Body, Controller, Get, Inject, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Actor, OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { accountErrors } from '#door/errors';
import { PageQuery, pageIn } from '#door/lists';
import { type Accounts, type AffiliateItem, actorOf, type Operator } from '#partners';
import { idIn } from '../../http/ids.ts';
import { changed, found } from '../answers.ts';
import { ACCOUNTS } from '../parts.ts';
import { AffiliateBody, AffiliateChangesBody, AffiliatesBody, NewAffiliateBody } from './affiliate-bodies.ts';

@ApiTags('Accounts')
@ApiBearerAuth('operator_token')
@Controller('operator/affiliates')
@UseGuards(OperatorGuard)
@Roles('admin')
export class AffiliatesController {
  readonly #affiliates: Accounts['affiliates'];

  constructor(@Inject(ACCOUNTS) accounts: Accounts) {
    this.#affiliates = accounts.affiliates;
  }

  @Post()
  @ApiOperation({ operationId: 'createAffiliate', summary: 'Set up a partner account' })
  @ApiCreatedResponse({ type: AffiliateBody })
  @OperatorErrors()
  create(@Actor() operator: Operator, @Body() body: NewAffiliateBody): Promise<AffiliateItem> {
    return this.#affiliates.add(actorOf(operator), body);
  }

  @Patch(':id')
  @ApiOperation({ operationId: 'changeAffiliate', summary: 'Change a partner account, or switch it off' })
  @ApiParam({ name: 'id', type: 'integer', description: 'The partner account' })
  @ApiOkResponse({ type: AffiliateBody })
  @OperatorErrors(accountErrors.invalidId('Affiliate'), accountErrors.notFound('Affiliate'))
  async change(
    @Actor() operator: Operator,
    @Param('id') id: string,
    @Body() body: AffiliateChangesBody,
  ): Promise<AffiliateItem> {
    return changed(await this.#affiliates.change(actorOf(operator), idIn('Affiliate', id), body));
  }

  @Get()
  @Roles('admin', 'auditor')
  @ApiOperation({ operationId: 'listAffiliates', summary: 'All partner accounts, by id' })
  @ApiOkResponse({ type: AffiliatesBody })
  @OperatorErrors()
  async list(@Query() query: PageQuery) {
    const { items, next_cursor } = await this.#affiliates.list(pageIn(query));
    return { affiliates: items, next_cursor };
  }

  @Get(':id')
  @Roles('admin', 'auditor')
  @ApiOperation({ operationId: 'getAffiliate', summary: 'One partner account' })
  @ApiParam({ name: 'id', type: 'integer', description: 'The partner account' })
  @ApiOkResponse({ type: AffiliateBody })
  @OperatorErrors(accountErrors.invalidId('Affiliate'), accountErrors.notFound('Affiliate'))
  async item(@Param('id') id: string): Promise<AffiliateItem> {
    return found('Affiliate', await this.#affiliates.item(idIn('Affiliate', id)));
  }
}
