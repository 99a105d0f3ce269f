import { Body, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { accountErrors, commandErrors } from '#door/errors';
import { AffiliatePageQuery, numberIn, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type Accounts, type ApiKeyAnswer, type ApiKeyItem, actorOf, type Operator } from '#partners';
import { idIn, timeIn } from '../../http/ids.ts';
import { changed, found } from '../answers.ts';
import { ACCOUNTS } from '../parts.ts';
import { readBy } from '../webhook/read-by.ts';
import { ApiKeyBody, ApiKeysBody, ChangedApiKeyBody, CreatedApiKeyBody } from './api-key-bodies.ts';
import { ApiKeyChangesBody, NewApiKeyBody } from './new-api-key-bodies.ts';

@OperatorRoutes('operator/api-keys', 'Accounts', 'admin')
export class ApiKeysController {
  @Inject(ACCOUNTS) private readonly accounts!: Accounts;

  @Post()
  @Dangerous()
  @Described('createApiKey', 'Make an API key for a partner, or for one of its casinos')
  @ApiCreatedResponse({ type: CreatedApiKeyBody })
  @OperatorErrors(
    accountErrors.entityOfAnother(),
    accountErrors.notFound('Affiliate'),
    accountErrors.notFound('Entity'),
    commandErrors.numbersUnavailable(),
  )
  async create(@Actor() operator: Operator, @Body() body: NewApiKeyBody): Promise<ApiKeyAnswer> {
    return changed(
      await this.accounts.apiKeys.add(actorOf(operator), { ...body, expires_at: timeIn(body.expires_at) }),
    );
  }

  @Patch(':id')
  @Dangerous()
  @Described('changeApiKey', 'Change, switch off or revoke an API key')
  @ApiParam({ name: 'id', type: 'integer', description: 'Id of the key: what stands before its colon' })
  @ApiOkResponse({ type: ChangedApiKeyBody })
  @OperatorErrors(accountErrors.invalidId('API key'), accountErrors.notFound('API key'), accountErrors.keyIsRevoked())
  async change(
    @Actor() operator: Operator,
    @Param('id') id: string,
    @Body() body: ApiKeyChangesBody,
  ): Promise<ApiKeyAnswer> {
    const sent = { ...body, expires_at: timeIn(body.expires_at) };
    return changed(await this.accounts.apiKeys.change(actorOf(operator), { id: idIn('API key', id), sent }));
  }

  @Get()
  @Roles('admin', 'auditor')
  @Described('listApiKeys', 'All API keys, or those of one partner, by id')
  @ApiOkResponse({ type: ApiKeysBody })
  async list(@Actor() operator: Operator, @Query() query: AffiliatePageQuery) {
    const page = { affiliateId: numberIn(query.affiliate_id), ...pageIn(query) };
    const { items, next_cursor } = await this.accounts.apiKeys.list(page);
    return { api_keys: items.map(readBy(operator)), next_cursor };
  }

  @Get(':id')
  @Roles('admin', 'auditor')
  @Described('getApiKey', 'One API key, without its secrets')
  @ApiParam({ name: 'id', type: 'integer', description: 'Id of the key: what stands before its colon' })
  @ApiOkResponse({ type: ApiKeyBody })
  @OperatorErrors(accountErrors.invalidId('API key'), accountErrors.notFound('API key'))
  async item(@Actor() operator: Operator, @Param('id') id: string): Promise<ApiKeyItem> {
    return readBy(operator)(found('API key', await this.accounts.apiKeys.item(idIn('API key', id))));
  }
}
