import { Body, Delete, type DynamicModule, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, CheckDanger, type DangerCheck, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import { actorOf, type Operator, recordChange } from '#partners';
import type { Queryable } from '#platform/postgres';
import type { ProjectionControl } from '#read-models';
import { DifferencesBody, differencesOf } from './differences-body.ts';
import { bodyOf, NewRebuildBody, ProjectionBody, ProjectionsBody, RebuildBody, SkipBody } from './projection-body.ts';
import { projectionErrors } from './projection-errors.ts';

const PROJECTIONS = Symbol('projections');

const NameParam = () => ApiParam({ name: 'name', type: String, description: 'Of the list of read models' });

/** For the transaction of the change itself. */
const recorded = (operator: Operator, name: string, before: object, after: object) => (db: Queryable) =>
  recordChange(db, {
    ...{ actor: actorOf(operator), action: 'changed', subject: 'projection', subjectId: name, before, after },
  });

/** Rows that readers see are replaced, as by `switch`. */
const isSwitched = (mode: NewRebuildBody['mode']): boolean => mode === undefined || mode === 'switch';

@OperatorRoutes('operator/projections', 'Operator: projections')
class ProjectionsController {
  @Inject(PROJECTIONS) private readonly projections!: ProjectionControl;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listProjections', 'How far every read model is behind the event log')
  @ApiOkResponse({ type: ProjectionsBody })
  async list(): Promise<ProjectionsBody> {
    return { projections: (await this.projections.status()).map(bodyOf) };
  }

  @Get(':name')
  @Roles('admin', 'ops', 'auditor')
  @Described('getProjection', 'How far one read model is, who writes it, and its rebuild')
  @NameParam()
  @ApiOkResponse({ type: ProjectionBody })
  @OperatorErrors(projectionErrors.unknown())
  async one(@Param('name') name: string): Promise<ProjectionBody> {
    const report = await this.projections.statusOf(name);
    if (!report) throw projectionErrors.unknown();
    return bodyOf(report);
  }

  @Post(':name/rebuild')
  @HttpCode(202)
  @Roles('admin', 'ops')
  @Described(
    'rebuildProjection',
    'Fill a read model anew from the first event',
    'Readers see the old rows until the new ones are complete. Progress is shown in the list.',
  )
  @NameParam()
  @ApiAcceptedResponse({ type: RebuildBody })
  @OperatorErrors(projectionErrors.unknown(), projectionErrors.running())
  async rebuild(
    @Param('name') name: string,
    @Body() { mode }: NewRebuildBody,
    @Actor() operator: Operator,
    @CheckDanger() checkDanger: DangerCheck,
  ): Promise<RebuildBody> {
    if (isSwitched(mode)) await checkDanger();
    const after = { state: 'rebuilding', ...(mode && { mode }) };
    const alongside = recorded(operator, name, { state: 'live' }, after);
    const outcome = await this.projections.rebuild(name, { mode, alongside });
    if (outcome === 'unknown') throw projectionErrors.unknown();
    if (outcome === 'running') throw projectionErrors.running();
    return { name, state: 'rebuilding' };
  }

  @Get(':name/differences')
  @Roles('admin', 'ops', 'auditor')
  @Described('projectionDifferences', 'What the last rebuild in mode check or hold found')
  @NameParam()
  @ApiOkResponse({ type: DifferencesBody })
  @OperatorErrors(projectionErrors.unknown(), projectionErrors.notChecked())
  async differences(@Param('name') name: string): Promise<DifferencesBody> {
    const check = await this.projections.differences(name);
    if (check === 'unknown') throw projectionErrors.unknown();
    if (check === 'none') throw projectionErrors.notChecked();
    return differencesOf(check);
  }

  @Post(':name/switch')
  @HttpCode(202)
  @Roles('admin', 'ops')
  @Described('switchProjection', 'Let the rows of a held rebuild take the place of the live ones')
  @NameParam()
  @ApiAcceptedResponse({ type: RebuildBody })
  @OperatorErrors(projectionErrors.unknown(), projectionErrors.notHeld())
  async switch(
    @Param('name') name: string,
    @Actor() operator: Operator,
    @CheckDanger() checkDanger: DangerCheck,
  ): Promise<RebuildBody> {
    const report = await this.projections.statusOf(name);
    if (!report) throw projectionErrors.unknown();
    if (!report.rebuild?.held) throw projectionErrors.notHeld();
    const { requestedAt } = report.rebuild;
    // What is let through is this one: the next that is held may hold other rows.
    await checkDanger({ rebuild: { requested_at: requestedAt } });
    const alongside = recorded(operator, name, { state: 'held' }, { state: 'switching' });
    const outcome = await this.projections.switch(name, { requestedAt, alongside });
    if (outcome === 'unknown') throw projectionErrors.unknown();
    if (outcome === 'not_held') throw projectionErrors.notHeld();
    return { name, state: outcome };
  }

  @Delete(':name/rebuild')
  @HttpCode(202)
  @Roles('admin', 'ops')
  @Described('cancelRebuild', 'End a rebuild; the live rows stay as they are')
  @NameParam()
  @ApiAcceptedResponse({ type: RebuildBody })
  @OperatorErrors(projectionErrors.unknown(), projectionErrors.notRebuilding())
  async cancel(@Param('name') name: string, @Actor() operator: Operator): Promise<RebuildBody> {
    const alongside = recorded(operator, name, { state: 'rebuilding' }, { state: 'cancelling' });
    const outcome = await this.projections.cancel(name, alongside);
    if (outcome === 'unknown') throw projectionErrors.unknown();
    if (outcome === 'none') throw projectionErrors.notRebuilding();
    return { name, state: outcome };
  }

  @Post(':name/skip')
  @HttpCode(202)
  @Roles('admin')
  @Dangerous()
  @Described(
    'skipEvent',
    'Let a stopped read model pass over the event that it stands before',
    'For good, in its rebuilds too. The event stays in the log; what it would have changed is not shown.',
  )
  @NameParam()
  @ApiAcceptedResponse({ type: RebuildBody })
  @OperatorErrors(projectionErrors.unknown(), projectionErrors.notStopped(), projectionErrors.notSkippable())
  async skip(
    @Param('name') name: string,
    @Body() { event_id: eventId, reason }: SkipBody,
    @Actor() operator: Operator,
  ): Promise<RebuildBody> {
    const alongside = recorded(operator, name, { state: 'stopped' }, { skipped: eventId, reason });
    const outcome = await this.projections.skip(name, { eventId, reason }, alongside);
    if (outcome === 'unknown') throw projectionErrors.unknown();
    if (outcome === 'not_stopped') throw projectionErrors.notStopped();
    if (outcome === 'not_skippable') throw projectionErrors.notSkippable();
    return { name, state: 'running' };
  }
}

export const projectionRoutes = (projections: ProjectionControl): DynamicModule =>
  routesOf([ProjectionsController], { [PROJECTIONS]: projections });
