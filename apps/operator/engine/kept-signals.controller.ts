import { Controller, Get, Inject, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { filtersIn, KeptSignalsBody, KeptSignalsQuery, keptSignalBody } from './kept-signals-body.ts';
import { LIST_SIGNALS, type ListSignals } from './parts.ts';

@ApiTags('Operator: engine')
@ApiBearerAuth('operator_token')
@Controller('operator/signals')
@UseGuards(OperatorGuard)
@Roles('admin', 'ops', 'auditor')
export class KeptSignalsController {
  readonly #listSignals: ListSignals;

  constructor(@Inject(LIST_SIGNALS) listSignals: ListSignals) {
    this.#listSignals = listSignals;
  }

  @Get()
  @ApiOperation({
    operationId: 'listSignals',
    summary: 'Signals that were taken, newest first; rejected ones with their reason',
  })
  @ApiOkResponse({ type: KeptSignalsBody })
  @OperatorErrors()
  async list(@Query() query: KeptSignalsQuery): Promise<KeptSignalsBody> {
    const { items, next_cursor } = await this.#listSignals(filtersIn(query));
    return { signals: items.map(keptSignalBody), next_cursor };
  }
}
