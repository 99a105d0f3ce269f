import { Controller, Get, Inject, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { LIST_RETURNS, type ListReturns } from './parts.ts';
import { filtersIn, ReturnsBody, ReturnsQuery, returnBody } from './returns-body.ts';

@ApiTags('Operator: engine')
@ApiBearerAuth('operator_token')
@Controller('operator/returns')
@UseGuards(OperatorGuard)
@Roles('admin', 'ops', 'auditor')
export class ReturnsController {
  readonly #listReturns: ListReturns;

  constructor(@Inject(LIST_RETURNS) listReturns: ListReturns) {
    this.#listReturns = listReturns;
  }

  @Get()
  @ApiOperation({ operationId: 'listReturns', summary: 'The queue of returns, newest first' })
  @ApiOkResponse({ type: ReturnsBody })
  @OperatorErrors()
  async list(@Query() query: ReturnsQuery): Promise<ReturnsBody> {
    const { items, next_cursor } = await this.#listReturns(filtersIn(query));
    return { returns: items.map(returnBody), next_cursor };
  }
}
