import { Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorRoutes } from '#door/access';
import { pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import type { Accounts } from '#partners';
import { ACCOUNTS } from '../parts.ts';
import { AuditTrailBody, AuditTrailQuery } from './audit-trail-bodies.ts';

@OperatorRoutes('operator/audit-trail', 'Accounts', 'admin', 'auditor')
export class AuditTrailController {
  @Inject(ACCOUNTS) private readonly accounts!: Accounts;

  @Get()
  @Described(
    'listAuditTrail',
    'Every change by an operator, newest first',
    'Who, when, what, before and after; never a secret. Each entry holds the hash of the one before it.',
  )
  @ApiOkResponse({ type: AuditTrailBody })
  async list(@Query() query: AuditTrailQuery) {
    const { subject, subject_id: subjectId, actor, action, from, to } = query;
    const { items, next_cursor } = await this.accounts.auditTrail({
      ...{ subject, subjectId, actor, action, from, to },
      ...pageIn(query),
    });
    return { audit_trail: items, next_cursor };
  }
}
