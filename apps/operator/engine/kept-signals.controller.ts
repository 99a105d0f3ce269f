import { Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorErrors, OperatorRoutes } from '#door/access';
import { Described } from '#door/openapi';
import { filtersIn, KeptSignalsBody, KeptSignalsQuery, keptSignalBody } from './kept-signals-body.ts';
import { LIST_SIGNALS, type ListSignals } from './parts.ts';

@OperatorRoutes('operator/signals', 'Operator: engine', 'admin', 'ops', 'auditor')
export class KeptSignalsController {
  @Inject(LIST_SIGNALS) private readonly listSignals!: ListSignals;

  @Get()
  @Described('listSignals', 'Signals that were taken, newest first; rejected ones with their reason')
  @ApiOkResponse({ type: KeptSignalsBody })
  @OperatorErrors()
  async list(@Query() query: KeptSignalsQuery): Promise<KeptSignalsBody> {
    const { items, next_cursor } = await this.listSignals(filtersIn(query));
    return { signals: items.map(keptSignalBody), next_cursor };
  }
}
