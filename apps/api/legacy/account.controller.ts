import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiBody, ApiExtension, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { From, OnlyReads, ReadsBody } from '#door/http';
import { DescribedOpen, OWN_MISFIT } from '#door/openapi';
import { wireNumberOf } from '#money';
import { callerIn, refreshed } from './answers.ts';
import { CryptosBody, InfoBody, PricesBody, TokenPairBody } from './legacy-answers.ts';
import { MaybeTokenSentBody, RefreshBody, TokenSentBody } from './legacy-bodies.ts';
import { cryptosOf, enabledCoins } from './offer.ts';
import { LEGACY_ROUTES, type LegacyRoutesParts } from './parts.ts';
import { TokenErrors } from './route-errors.ts';

@ApiTags('Legacy transactions')
@Controller()
export class LegacyAccountController {
  @Inject(LEGACY_ROUTES) private readonly parts!: LegacyRoutesParts;

  @Post('cryptos')
  @HttpCode(200)
  @DescribedOpen('listCryptos', 'The coins that the affiliate may use')
  @ApiOkResponse({ type: CryptosBody })
  @ApiExtension(OWN_MISFIT, 401)
  @TokenErrors('access_token')
  async cryptos(@Body() { access_token }: TokenSentBody, @From() from: string): Promise<CryptosBody> {
    const { tokens, isEnabled } = this.parts;
    const caller = callerIn(await tokens.authenticate(access_token, from));
    const [cryptos, refresh_token] = await Promise.all([cryptosOf(caller, isEnabled), tokens.mintInTurn(caller)]);
    return { cryptos, access_token, refresh_token };
  }

  @Get('cryptos')
  @ReadsBody({ alsoOnGet: true })
  @DescribedOpen('getCryptos', 'The same, as a GET with a body')
  @ApiBody({ type: TokenSentBody })
  @ApiOkResponse({ type: CryptosBody })
  @ApiExtension(OWN_MISFIT, 401)
  @TokenErrors('access_token')
  getCryptos(@Body() body: TokenSentBody, @From() from: string): Promise<CryptosBody> {
    return this.cryptos(body, from);
  }

  @Get('crypto_prices')
  @ReadsBody({ alsoOnGet: true })
  @DescribedOpen(
    'cryptoPrices',
    'What coins cost',
    'Of every enabled coin that has a rate. An access token may come in a body, and has to be a good one.',
  )
  @ApiBody({ type: MaybeTokenSentBody, required: false })
  @ApiOkResponse({ type: PricesBody })
  @ApiExtension(OWN_MISFIT, 401)
  @TokenErrors('access_token')
  async prices(@Body() { access_token }: MaybeTokenSentBody, @From() from: string): Promise<PricesBody> {
    const { tokens, isEnabled, currentRate } = this.parts;
    if (access_token !== undefined) callerIn(await tokens.authenticate(access_token, from));
    const coins = await enabledCoins(isEnabled);
    const rates = await Promise.all(coins.map(async (coin) => [coin, await currentRate(coin)] as const));
    const prices = rates.flatMap(([coin, usd]) => (usd === 'unavailable' ? [] : [[coin, wireNumberOf(usd)]]));
    return { prices: Object.fromEntries(prices), ...(access_token !== undefined && { access_token }) };
  }

  @Post('get_info')
  @OnlyReads()
  @HttpCode(200)
  @DescribedOpen('getInfo', 'Who the affiliate is')
  @ApiOkResponse({ type: InfoBody })
  @ApiExtension(OWN_MISFIT, 401)
  @TokenErrors('access_token')
  async info(@Body() { access_token }: TokenSentBody, @From() from: string): Promise<InfoBody> {
    const { affiliateId, legacy } = callerIn(await this.parts.tokens.authenticate(access_token, from));
    const { subdomain = null, logo = null, default_coin = null } = legacy ?? {};
    return { affiliate_id: affiliateId, subdomain, logo, default_coin };
  }

  @Post('refresh_token')
  @HttpCode(200)
  @DescribedOpen(
    'refreshToken',
    'Buy the next pair of tokens',
    'Works once: a second use revokes every token that came of the same issue.',
  )
  @ApiOkResponse({ type: TokenPairBody })
  @ApiExtension(OWN_MISFIT, 401)
  @TokenErrors('refresh_token')
  async refresh(@Body() { refresh_token }: RefreshBody, @From() from: string): Promise<TokenPairBody> {
    const { pair } = refreshed(await this.parts.tokens.refresh(refresh_token, from));
    return { access_token: pair.accessToken, refresh_token: pair.refreshToken };
  }
}
