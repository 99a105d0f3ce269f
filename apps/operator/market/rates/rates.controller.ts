import { Body, Delete, Get, Inject, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { appliedOr } from '#door/answers';
import { authenticationErrors } from '#door/errors';
import { Described } from '#door/openapi';
import { decimalText } from '#money';
import { actorOf, type Operator } from '#partners';
import type { PinOutcome, Rates } from '#rates';
import { RATES } from '../parts.ts';
import { tickerErrors, tickerIn } from '../tickers.ts';
import { NewPinBody, PinBody, RatesBody } from './rate-bodies.ts';

const pinned = appliedOr<PinOutcome>({ refused: authenticationErrors.insufficientPermissions });

@OperatorRoutes('operator/rates', 'Operator: market')
export class RatesController {
  @Inject(RATES) private readonly rates!: Rates;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listRates', 'What each coin costs now, and which rates are pinned')
  @ApiOkResponse({ type: RatesBody })
  async list(): Promise<RatesBody> {
    return { rates: await this.rates.list() };
  }

  @Put(':ticker')
  @Roles('admin', 'ops')
  @Dangerous('by role')
  @Described(
    'pinRate',
    'Pin a rate, or pin that there is none; more than 20 % from the last known price an admin alone',
  )
  @ApiParam({ name: 'ticker', type: String, description: 'In upper case' })
  @ApiOkResponse({ type: PinBody })
  @OperatorErrors(tickerErrors.unknown('DOGE'))
  async pin(@Param('ticker') word: string, @Body() body: NewPinBody, @Actor() operator: Operator): Promise<PinBody> {
    const ticker = tickerIn(word);
    const usd = body.usd === null ? null : decimalText(body.usd);
    pinned(await this.rates.pin(ticker, usd, actorOf(operator), operator.role !== 'admin'));
    return { ticker, pinned: true, usd };
  }

  @Delete(':ticker')
  @Roles('admin', 'ops')
  @Dangerous()
  @Described('unpinRate', 'Go back to the providers')
  @ApiParam({ name: 'ticker', type: String, description: 'In upper case' })
  @ApiOkResponse({ type: PinBody })
  @OperatorErrors(tickerErrors.unknown('DOGE'))
  async unpin(@Param('ticker') word: string, @Actor() operator: Operator): Promise<PinBody> {
    const ticker = tickerIn(word);
    await this.rates.unpin(ticker, actorOf(operator));
    return { ticker, pinned: false, usd: null };
  }
}
