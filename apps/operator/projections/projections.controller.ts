import { Controller, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Actor, OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { actorOf, type Operator, recordChange } from '#partners';
import type { Projections } from '#read-models';
import { bodyOf, ProjectionsBody, RebuildBody } from './projection-body.ts';
import { projectionErrors } from './projection-errors.ts';

export const PROJECTIONS = Symbol('projections');

@ApiTags('Operator: projections')
@ApiBearerAuth('operator_token')
@Controller('operator/projections')
@UseGuards(OperatorGuard)
export class ProjectionsController {
  readonly #projections: Pick<Projections, 'status' | 'rebuild'>;

  constructor(@Inject(PROJECTIONS) projections: Pick<Projections, 'status' | 'rebuild'>) {
    this.#projections = projections;
  }

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @ApiOperation({ operationId: 'listProjections', summary: 'How far every read model is behind the event log' })
  @ApiOkResponse({ type: ProjectionsBody })
  @OperatorErrors()
  async list(): Promise<ProjectionsBody> {
    return { projections: (await this.#projections.status()).map(bodyOf) };
  }

  @Post(':name/rebuild')
  @HttpCode(202)
  @Roles('admin', 'ops')
  @ApiOperation({
    operationId: 'rebuildProjection',
    summary: 'Fill a read model anew from the first event',
    description: 'Readers see the old rows until the new ones are complete. Progress is shown in the list.',
  })
  @ApiParam({ name: 'name', type: String, description: 'Of the list of read models' })
  @ApiAcceptedResponse({ type: RebuildBody })
  @OperatorErrors(projectionErrors.unknown(), projectionErrors.running())
  async rebuild(@Param('name') name: string, @Actor() operator: Operator): Promise<RebuildBody> {
    const outcome = await this.#projections.rebuild(name, (db) =>
      recordChange(db, {
        actor: actorOf(operator),
        action: 'changed',
        subject: 'projection',
        subjectId: name,
        before: { state: 'live' },
        after: { state: 'rebuilding' },
      }),
    );
    if (outcome === 'unknown') throw projectionErrors.unknown();
    if (outcome === 'running') throw projectionErrors.running();
    return { name, state: 'rebuilding' };
  }
}
