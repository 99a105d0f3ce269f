import { Body, Get, Inject, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type { Currencies } from '#currencies';
import { Actor, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { Described } from '#door/openapi';
import { actorOf, type Operator } from '#partners';
import { CURRENCIES } from '../parts.ts';
import { tickerErrors, tickerIn } from '../tickers.ts';
import { CurrenciesBody, CurrencyBody, CurrencyChangeBody } from './currency-bodies.ts';

@OperatorRoutes('operator/currencies', 'Operator: market')
export class CurrenciesController {
  @Inject(CURRENCIES) private readonly currencies!: Currencies;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listCurrencies', 'Which currencies are switched on')
  @ApiOkResponse({ type: CurrenciesBody })
  async list(): Promise<CurrenciesBody> {
    return { currencies: await this.currencies.list() };
  }

  @Put(':ticker')
  @Roles('admin', 'ops')
  @Described('switchCurrency', 'Switch a currency on or off for everyone')
  @ApiParam({ name: 'ticker', type: String, description: 'In upper case' })
  @ApiOkResponse({ type: CurrencyBody })
  @OperatorErrors(tickerErrors.unknown('DOGE'))
  async change(
    @Param('ticker') word: string,
    @Body() { enabled }: CurrencyChangeBody,
    @Actor() operator: Operator,
  ): Promise<CurrencyBody> {
    const ticker = tickerIn(word);
    await this.currencies.setEnabled(ticker, enabled, actorOf(operator));
    return { ticker, enabled };
  }
}
