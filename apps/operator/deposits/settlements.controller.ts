import { Controller, Get, Inject, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OperatorGuard, Roles } from '#door/access';
import { listed } from '#door/lists';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { PageErrors } from './route-errors.ts';
import { SettlementsBody, SettlementsQuery } from './settlements-body.ts';

@ApiTags('Operator: deposits')
@ApiBearerAuth('operator_token')
@Controller('operator/settlements')
@UseGuards(OperatorGuard)
@Roles('admin', 'ops', 'auditor')
export class SettlementsController {
  readonly #parts: OperatorDepositsParts;

  constructor(@Inject(OPERATOR_DEPOSITS) parts: OperatorDepositsParts) {
    this.#parts = parts;
  }

  @Get()
  @ApiOperation({
    operationId: 'listSettlements',
    summary: 'What a casino is settled: its accepted live deposits, newest first',
  })
  @ApiOkResponse({ type: SettlementsBody })
  @PageErrors()
  async list(@Query() { entity_id, cursor }: SettlementsQuery): Promise<SettlementsBody> {
    const place = cursor === undefined ? {} : { before: Number(cursor) };
    return listed(await this.#parts.reads.settlements(Number(entity_id), place));
  }
}
