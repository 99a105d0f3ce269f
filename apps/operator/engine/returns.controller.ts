import { Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorErrors, OperatorRoutes } from '#door/access';
import { Described } from '#door/openapi';
import { LIST_RETURNS, type ListReturns } from './parts.ts';
import { filtersIn, ReturnsBody, ReturnsQuery, returnBody } from './returns-body.ts';

@OperatorRoutes('operator/returns', 'Operator: engine', 'admin', 'ops', 'auditor')
export class ReturnsController {
  @Inject(LIST_RETURNS) private readonly listReturns!: ListReturns;

  @Get()
  @Described('listReturns', 'The queue of returns, newest first')
  @ApiOkResponse({ type: ReturnsBody })
  @OperatorErrors()
  async list(@Query() query: ReturnsQuery): Promise<ReturnsBody> {
    const { items, next_cursor } = await this.listReturns(filtersIn(query));
    return { returns: items.map(returnBody), next_cursor };
  }
}
