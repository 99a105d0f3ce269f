import { Get, Inject, Param } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { checkDeposit } from '#audit';
import { OperatorErrors, OperatorRoutes } from '#door/access';
import { depositIdOf } from '#door/deposits';
import { scopeErrors } from '#door/errors';
import { Described } from '#door/openapi';
import { CheckedDepositBody } from './audit-bodies.ts';
import { AUDIT, type AuditParts } from './parts.ts';

@OperatorRoutes('operator/deposits', 'Operator: deposits', 'admin', 'ops', 'auditor')
export class CheckController {
  @Inject(AUDIT) private readonly parts!: AuditParts;

  @Get(':id/check')
  @Described('checkDeposit', "A deposit's chain recomputed, and its rows held against its history")
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: CheckedDepositBody })
  @OperatorErrors(scopeErrors.invalidDepositId(), scopeErrors.depositNotFound())
  async check(@Param('id') id: string): Promise<CheckedDepositBody> {
    const checked = await checkDeposit(this.parts, depositIdOf(id));
    if (!checked) throw scopeErrors.depositNotFound();
    return checked;
  }
}
