import { type DynamicModule, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type pg from 'pg';
import { OperatorErrors, OperatorRoutes } from '#door/access';
import { readErrors } from '#door/errors';
import { routesOf } from '#door/http';
import { listed, numberIn, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { listSignals, type ReturnReads } from '#engine';
import { datedWhere } from '../http/stale.ts';
import { KeptSignalsBody, KeptSignalsQuery } from './kept-signals-body.ts';
import { ReturnsBody, ReturnsQuery } from './returns-body.ts';

type EngineRecordsParts = { readonly pool: pg.Pool; readonly returns: Pick<ReturnReads, 'page' | 'movedAt'> };

const ENGINE_RECORDS = Symbol('what is read of signals and returns');

@OperatorRoutes('operator', 'Operator: engine', 'admin', 'ops', 'auditor')
class EngineRecordsController {
  @Inject(ENGINE_RECORDS) private readonly parts!: EngineRecordsParts;

  @Get('signals')
  @Described('listSignals', 'Signals that were taken, newest first; rejected ones with their reason')
  @ApiOkResponse({ type: KeptSignalsBody })
  async signals(@Query() query: KeptSignalsQuery) {
    const { deposit_id, transaction_id, outcome, days, failing, without_place } = query;
    const { items, next_cursor } = await listSignals(this.parts.pool, {
      ...{
        ...pageIn(query),
        outcome,
        days: numberIn(days),
        failing: failing === 'true',
        without_place: without_place === 'true',
      },
      ...{ deposit_id: numberIn(deposit_id), transaction_id: numberIn(transaction_id) },
    });
    return { signals: items, next_cursor };
  }

  @Get('returns')
  @Described('listReturns', 'The queue of returns, newest first')
  @ApiOkResponse({ type: ReturnsBody })
  @OperatorErrors(readErrors.listBehind())
  async returns(@Query() query: ReturnsQuery): Promise<ReturnsBody> {
    const { deposit_id, entity_id, state, unfunded, stale } = query;
    const { returns } = this.parts;
    const dated = await datedWhere(stale, returns.movedAt);
    const page = await returns.page({
      ...{ ...pageIn(query), state, unfunded: unfunded === 'true', stale: stale !== undefined },
      ...{ deposit_id: numberIn(deposit_id), entity_id: numberIn(entity_id) },
    });
    const { items, next_cursor } = listed(page);
    return { returns: items, next_cursor, ...dated };
  }
}

/** What operators see of the payment engine: the signals that it took, the returns that it sends. */
export const engineRecordRoutes = (parts: EngineRecordsParts): DynamicModule =>
  routesOf([EngineRecordsController], { [ENGINE_RECORDS]: parts });
