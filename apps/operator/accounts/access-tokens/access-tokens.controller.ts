import { Body, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { accountErrors } from '#door/errors';
import { PageQuery, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type AccessTokenAnswer, type AccessTokenItem, type Accounts, actorOf, type Operator } from '#partners';
import { idIn, timeIn } from '../../http/ids.ts';
import { changed, found } from '../answers.ts';
import { ACCOUNTS } from '../parts.ts';
import {
  AccessTokenBody,
  AccessTokensBody,
  IssuedAccessTokenBody,
  NewAccessTokenBody,
  RevocationBody,
} from './access-token-bodies.ts';

const tokenIn = (affiliate: string, token: string) => ({
  affiliateId: idIn('Affiliate', affiliate),
  id: idIn('Access token', token),
});

@OperatorRoutes('operator/affiliates/:affiliate/access-tokens', 'Accounts', 'admin')
export class AccessTokensController {
  @Inject(ACCOUNTS) private readonly accounts!: Accounts;

  @Post()
  @Dangerous()
  @Described('issueAccessToken', "Issue a partner's tokens of the older interface")
  @ApiParam({ name: 'affiliate', type: 'integer', description: 'The partner account' })
  @ApiCreatedResponse({ type: IssuedAccessTokenBody })
  @OperatorErrors(accountErrors.invalidId('Affiliate'), accountErrors.notFound('Affiliate'))
  async issue(
    @Actor() operator: Operator,
    @Param('affiliate') affiliate: string,
    @Body() { expires_at }: NewAccessTokenBody,
  ): Promise<AccessTokenAnswer> {
    const affiliateId = idIn('Affiliate', affiliate);
    const expiresAt = timeIn(expires_at) ?? null;
    return changed(await this.accounts.accessTokens.issue(actorOf(operator), { affiliateId, expiresAt }));
  }

  @Patch(':token')
  @Dangerous()
  @Described(
    'revokeAccessToken',
    'Revoke a token of the older interface',
    'With it goes all that was refreshed from the same issue.',
  )
  @ApiParam({ name: 'affiliate', type: 'integer', description: 'The partner account' })
  @ApiParam({ name: 'token', type: 'integer', description: 'Id of the access token' })
  @ApiOkResponse({ type: AccessTokenBody })
  @OperatorErrors(accountErrors.invalidId('Access token'), accountErrors.notFound('Access token'))
  async revoke(
    @Actor() operator: Operator,
    @Param('affiliate') affiliate: string,
    @Param('token') token: string,
    @Body() _body: RevocationBody,
  ): Promise<AccessTokenItem> {
    return changed(await this.accounts.accessTokens.revoke(actorOf(operator), tokenIn(affiliate, token)));
  }

  @Get()
  @Roles('admin', 'auditor')
  @Described('listAccessTokens', "A partner's tokens of the older interface, by id")
  @ApiParam({ name: 'affiliate', type: 'integer', description: 'The partner account' })
  @ApiOkResponse({ type: AccessTokensBody })
  @OperatorErrors(accountErrors.invalidId('Affiliate'), accountErrors.notFound('Affiliate'))
  async list(@Param('affiliate') affiliate: string, @Query() query: PageQuery) {
    const affiliateId = idIn('Affiliate', affiliate);
    const page = await this.accounts.accessTokens.list({ affiliateId, ...pageIn(query) });
    const { items, next_cursor } = found('Affiliate', page);
    return { access_tokens: items, next_cursor };
  }

  @Get(':token')
  @Roles('admin', 'auditor')
  @Described('getAccessToken', 'One token of the older interface')
  @ApiParam({ name: 'affiliate', type: 'integer', description: 'The partner account' })
  @ApiParam({ name: 'token', type: 'integer', description: 'Id of the access token' })
  @ApiOkResponse({ type: AccessTokenBody })
  @OperatorErrors(accountErrors.invalidId('Access token'), accountErrors.notFound('Access token'))
  async item(@Param('affiliate') affiliate: string, @Param('token') token: string): Promise<AccessTokenItem> {
    return found('Access token', await this.accounts.accessTokens.item(tokenIn(affiliate, token)));
  }
}
