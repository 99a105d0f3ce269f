import { type DynamicModule, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type pg from 'pg';
import { OperatorRoutes } from '#door/access';
import { routesOf } from '#door/http';
import { numberIn, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { listReturns, listSignals } from '#engine';
import { KeptSignalsBody, KeptSignalsQuery } from './kept-signals-body.ts';
import { ReturnsBody, ReturnsQuery } from './returns-body.ts';

const RECORDS_POOL = Symbol('database of signals and returns');

@OperatorRoutes('operator', 'Operator: engine', 'admin', 'ops', 'auditor')
class EngineRecordsController {
  @Inject(RECORDS_POOL) private readonly pool!: pg.Pool;

  @Get('signals')
  @Described('listSignals', 'Signals that were taken, newest first; rejected ones with their reason')
  @ApiOkResponse({ type: KeptSignalsBody })
  async signals(@Query() query: KeptSignalsQuery) {
    const { deposit_id, transaction_id, outcome, days, failing } = query;
    const { items, next_cursor } = await listSignals(this.pool, {
      ...{ ...pageIn(query), outcome, days: numberIn(days), failing: failing === 'true' },
      ...{ deposit_id: numberIn(deposit_id), transaction_id: numberIn(transaction_id) },
    });
    return { signals: items, next_cursor };
  }

  @Get('returns')
  @Described('listReturns', 'The queue of returns, newest first')
  @ApiOkResponse({ type: ReturnsBody })
  async returns(@Query() query: ReturnsQuery) {
    const { deposit_id, entity_id, state } = query;
    const { items, next_cursor } = await listReturns(this.pool, {
      ...{ ...pageIn(query), state },
      ...{ deposit_id: numberIn(deposit_id), entity_id: numberIn(entity_id) },
    });
    return { returns: items, next_cursor };
  }
}

/** What operators see of the payment engine: the signals that it took, the returns that it sends. */
export const engineRecordRoutes = (pool: pg.Pool): DynamicModule =>
  routesOf([EngineRecordsController], { [RECORDS_POOL]: pool });
