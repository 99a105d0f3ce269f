import { Body, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { askJob, findJob, type JobKind, listJobs, sealNumbered } from '#audit';
import { Actor, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { readId } from '#door/http';
import { PageQuery, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { actorOf, type Operator, recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';
import { JobBody, JobsBody, NewVerificationBody } from './audit-bodies.ts';
import { auditErrors } from './audit-errors.ts';
import { AUDIT, type AuditParts } from './parts.ts';

@OperatorRoutes('operator/audit', 'Operator: audit', 'admin', 'ops', 'auditor')
export class AuditJobsController {
  @Inject(AUDIT) private readonly parts!: AuditParts;

  @Post('verify')
  @HttpCode(202)
  @Described(
    'verifyHistory',
    'Recompute every chain, the audit trail too, and hold every row and total against history',
    'A job: how far it is and what it finds is shown at GET /operator/audit/jobs/{id}. It changes nothing.',
  )
  @ApiAcceptedResponse({ type: JobBody })
  @OperatorErrors(auditErrors.noSuchSeal(), auditErrors.tooManyJobs())
  async verify(@Body() body: NewVerificationBody, @Actor() operator: Operator): Promise<JobBody> {
    const { from, to, deposit_id, seal } = body;
    if (seal !== undefined && !(await sealNumbered(this.parts.pool, seal))) throw auditErrors.noSuchSeal();
    return this.#ask('verify', { from, to, deposit_id, seal }, operator);
  }

  @Post('seal')
  @HttpCode(202)
  @Roles('admin', 'ops')
  @Described('sealHistory', 'Seal all of history as it is now', 'A job, as SEAL_EVERY asks for it by itself.')
  @ApiAcceptedResponse({ type: JobBody })
  @OperatorErrors(auditErrors.tooManyJobs())
  seal(@Actor() operator: Operator): Promise<JobBody> {
    return this.#ask('seal', {}, operator);
  }

  @Get('jobs')
  @Described('listAuditJobs', 'What was asked for, newest first')
  @ApiOkResponse({ type: JobsBody })
  async list(@Query() query: PageQuery): Promise<JobsBody> {
    const { items, next_cursor } = await listJobs(this.parts.pool, pageIn(query));
    return { jobs: items, next_cursor };
  }

  @Get('jobs/:id')
  @Described('getAuditJob', 'How far a job has come, and what it has found')
  @ApiParam({ name: 'id', type: 'integer', description: 'Of the job' })
  @ApiOkResponse({ type: JobBody })
  @OperatorErrors(auditErrors.invalidJob(), auditErrors.noSuchJob())
  async get(@Param('id') text: string): Promise<JobBody> {
    const id = readId(text, { invalidId: auditErrors.invalidJob, notFound: auditErrors.noSuchJob });
    const job = await findJob(this.parts.pool, id);
    if (!job) throw auditErrors.noSuchJob();
    return job;
  }

  async #ask(kind: JobKind, asked: JobBody['asked'], operator: Operator): Promise<JobBody> {
    const actor = actorOf(operator);
    const job = await inTransaction(this.parts.pool, async (db) => {
      const made = await askJob(db, kind, asked, actor);
      if (!made) throw auditErrors.tooManyJobs();
      const change = { action: 'created', subject: 'audit_job', subjectId: made.id, before: null } as const;
      await recordChange(db, { actor, ...change, after: { kind, ...asked } });
      return made;
    });
    this.parts.auditor.wake();
    return job;
  }
}
