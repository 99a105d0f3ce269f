import { Controller, Get, Inject, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { pageIn } from '#door/lists';
import type { Accounts } from '#partners';
import { ACCOUNTS } from '../parts.ts';
import { AuditTrailBody, AuditTrailQuery } from './audit-trail-bodies.ts';

@ApiTags('Accounts')
@ApiBearerAuth('operator_token')
@Controller('operator/audit-trail')
@UseGuards(OperatorGuard)
@Roles('admin', 'auditor')
export class AuditTrailController {
  readonly #auditTrail: Accounts['auditTrail'];

  constructor(@Inject(ACCOUNTS) accounts: Accounts) {
    this.#auditTrail = accounts.auditTrail;
  }

  @Get()
  @ApiOperation({
    operationId: 'listAuditTrail',
    summary: 'Every change by an operator, newest first',
    description: 'Who, when, what, before and after; never a secret or a hash.',
  })
  @ApiOkResponse({ type: AuditTrailBody })
  @OperatorErrors()
  async list(@Query() query: AuditTrailQuery) {
    const { subject, subject_id: subjectId, actor } = query;
    const { items, next_cursor } = await this.#auditTrail({ subject, subjectId, actor, ...pageIn(query) });
    return { audit_trail: items, next_cursor };
  }
}
