import { Body, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { accountErrors } from '#door/errors';
import { PageQuery, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type Accounts, actorOf, type Operator, type TokenAnswer, type TokenItem } from '#partners';
import { idIn, timeIn } from '../../http/ids.ts';
import { changed, found } from '../answers.ts';
import { ACCOUNTS } from '../parts.ts';
import { CreatedTokenBody, NewTokenBody, TokenBody, TokenRevocationBody, TokensBody } from './token-bodies.ts';

@OperatorRoutes('operator/tokens', 'Accounts', 'admin')
export class TokensController {
  @Inject(ACCOUNTS) private readonly accounts!: Accounts;

  @Post()
  @Dangerous()
  @Described('createToken', 'Make a token for an operator, an auditor or an engine')
  @ApiCreatedResponse({ type: CreatedTokenBody })
  create(@Actor() operator: Operator, @Body() body: NewTokenBody): Promise<TokenAnswer> {
    return this.accounts.tokens.add(actorOf(operator), { ...body, expires_at: timeIn(body.expires_at) });
  }

  @Patch(':id')
  @Dangerous()
  @Described('revokeToken', 'Revoke a token for ever')
  @ApiParam({ name: 'id', type: 'integer', description: 'Id of the token' })
  @ApiOkResponse({ type: TokenBody })
  @OperatorErrors(accountErrors.invalidId('Token'), accountErrors.notFound('Token'))
  async revoke(
    @Actor() operator: Operator,
    @Param('id') id: string,
    @Body() _body: TokenRevocationBody,
  ): Promise<TokenItem> {
    return changed(await this.accounts.tokens.revoke(actorOf(operator), idIn('Token', id)));
  }

  @Get()
  @Roles('admin', 'auditor')
  @Described('listTokens', 'All tokens, by id, without their texts')
  @ApiOkResponse({ type: TokensBody })
  async list(@Query() query: PageQuery) {
    const { items, next_cursor } = await this.accounts.tokens.list(pageIn(query));
    return { tokens: items, next_cursor };
  }

  @Get(':id')
  @Roles('admin', 'auditor')
  @Described('getToken', 'One token, without its text')
  @ApiParam({ name: 'id', type: 'integer', description: 'Id of the token' })
  @ApiOkResponse({ type: TokenBody })
  @OperatorErrors(accountErrors.invalidId('Token'), accountErrors.notFound('Token'))
  async item(@Param('id') id: string): Promise<TokenItem> {
    return found('Token', await this.accounts.tokens.item(idIn('Token', id)));
  }
}
