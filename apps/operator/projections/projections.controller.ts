import { type DynamicModule, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, AUTHENTICATE_OPERATOR, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import { type AuthenticateOperator, actorOf, type Operator, recordChange } from '#partners';
import { type Projections } from '#read-models';
import { bodyOf, ProjectionsBody, RebuildBody } from './projection-body.ts';
import { projectionErrors } from './projection-errors.ts';

const PROJECTIONS = Symbol('projections');

@OperatorRoutes('operator/projections', 'Operator: projections')
class ProjectionsController {
  @Inject(PROJECTIONS) private readonly projections!: Pick<Projections, 'status' | 'rebuild'>;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listProjections', 'How far every read model is behind the event log')
  @ApiOkResponse({ type: ProjectionsBody })
  @OperatorErrors()
  async list(): Promise<ProjectionsBody> {
    return { projections: (await this.projections.status()).map(bodyOf) };
  }

  @Post(':name/rebuild')
  @HttpCode(202)
  @Roles('admin', 'ops')
  @Described(
    'rebuildProjection',
    'Fill a read model anew from the first event',
    'Readers see the old rows until the new ones are complete. Progress is shown in the list.',
  )
  @ApiParam({ name: 'name', type: String, description: 'Of the list of read models' })
  @ApiAcceptedResponse({ type: RebuildBody })
  @OperatorErrors(projectionErrors.unknown(), projectionErrors.running())
  async rebuild(@Param('name') name: string, @Actor() operator: Operator): Promise<RebuildBody> {
    const outcome = await this.projections.rebuild(name, (db) =>
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

type ProjectionsParts = {
  readonly projections: Pick<Projections, 'status' | 'rebuild'>;
  readonly authenticateOperator: AuthenticateOperator;
};

export const projectionRoutes = ({ projections, authenticateOperator }: ProjectionsParts): DynamicModule =>
  routesOf([ProjectionsController], { [PROJECTIONS]: projections, [AUTHENTICATE_OPERATOR]: authenticateOperator });
