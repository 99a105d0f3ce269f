import { Body, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { accountErrors, commandErrors } from '#door/errors';
import { PageQuery, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type Accounts, type AffiliateItem, actorOf, type Operator } from '#partners';
import { idIn } from '../../http/ids.ts';
import { changed, found } from '../answers.ts';
import { ACCOUNTS } from '../parts.ts';
import { AffiliateBody, AffiliateChangesBody, AffiliatesBody, NewAffiliateBody } from './affiliate-bodies.ts';

@OperatorRoutes('operator/affiliates', 'Accounts', 'admin')
export class AffiliatesController {
  @Inject(ACCOUNTS) private readonly accounts!: Accounts;

  @Post()
  @Described('createAffiliate', 'Set up a partner account')
  @ApiCreatedResponse({ type: AffiliateBody })
  @OperatorErrors(commandErrors.numbersUnavailable())
  create(@Actor() operator: Operator, @Body() body: NewAffiliateBody): Promise<AffiliateItem> {
    return this.accounts.affiliates.add(actorOf(operator), body);
  }

  @Patch(':id')
  @Described('changeAffiliate', 'Change a partner account, or switch it off')
  @ApiParam({ name: 'id', type: 'integer', description: 'The partner account' })
  @ApiOkResponse({ type: AffiliateBody })
  @OperatorErrors(accountErrors.invalidId('Affiliate'), accountErrors.notFound('Affiliate'))
  async change(
    @Actor() operator: Operator,
    @Param('id') id: string,
    @Body() body: AffiliateChangesBody,
  ): Promise<AffiliateItem> {
    return changed(await this.accounts.affiliates.change(actorOf(operator), idIn('Affiliate', id), body));
  }

  @Get()
  @Roles('admin', 'auditor')
  @Described('listAffiliates', 'All partner accounts, by id')
  @ApiOkResponse({ type: AffiliatesBody })
  async list(@Query() query: PageQuery) {
    const { items, next_cursor } = await this.accounts.affiliates.list(pageIn(query));
    return { affiliates: items, next_cursor };
  }

  @Get(':id')
  @Roles('admin', 'auditor')
  @Described('getAffiliate', 'One partner account')
  @ApiParam({ name: 'id', type: 'integer', description: 'The partner account' })
  @ApiOkResponse({ type: AffiliateBody })
  @OperatorErrors(accountErrors.invalidId('Affiliate'), accountErrors.notFound('Affiliate'))
  async item(@Param('id') id: string): Promise<AffiliateItem> {
    return found('Affiliate', await this.accounts.affiliates.item(idIn('Affiliate', id)));
  }
}
