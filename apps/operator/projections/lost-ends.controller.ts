import { createHash } from 'node:crypto';
import { Body, type DynamicModule, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, CheckDanger, type DangerCheck, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import { actorOf, type Operator, recordChange } from '#partners';
import { type AcceptedEnd, acceptEnds, type EndsParts, lookAtLostEnds, placeOfRow } from '#read-models';
import { AcceptEndsBody, AcceptedEndsBody, type LostEndBody, LostEndsBody } from './lost-end-bodies.ts';
import { projectionErrors } from './projection-errors.ts';
import { tellEndsAsBefore } from './tell-as-before.ts';

const LOST_ENDS = Symbol('lost ends');

type Looked = Awaited<ReturnType<typeof lookAtLostEnds>>;

const bodyOf = ({ stream, shown, endsAt }: AcceptedEnd): LostEndBody => ({
  stream,
  shown_revision: shown,
  ends_at: endsAt,
});

/** What is let through is these histories with these ends, and no other that is found meanwhile. */
const aboutOf = (ends: readonly LostEndBody[]): object => ({
  lost_ends: {
    count: ends.length,
    first: ends.slice(0, 20),
    sha256: createHash('sha256').update(JSON.stringify(ends)).digest('hex'),
  },
});

@OperatorRoutes('operator/lost-ends', 'Operator: projections')
class LostEndsController {
  @Inject(LOST_ENDS) private readonly parts!: EndsParts;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listLostEnds', 'Histories that end before what was shown of them, as in a log that was put back')
  @ApiOkResponse({ type: LostEndsBody })
  async list(): Promise<LostEndsBody> {
    const { acceptable, refused, left } = await lookAtLostEnds(this.parts);
    return { lost_ends: acceptable.map(bodyOf), refused: [...refused], left };
  }

  @Post('accept')
  @HttpCode(200)
  @Roles('admin')
  @Described(
    'acceptLostEnds',
    'Let all histories that end before what was shown of them go on from where the log has them',
    'For good: what was shown of them beyond, and told to partners, is history no more. A thousand at a time.',
  )
  @ApiOkResponse({ type: AcceptedEndsBody })
  async acceptAll(
    @Body() { reason }: AcceptEndsBody,
    @Actor() operator: Operator,
    @CheckDanger() checkDanger: DangerCheck,
  ): Promise<AcceptedEndsBody> {
    const looked = await lookAtLostEnds(this.parts);
    return this.#accept(looked, reason, operator, checkDanger);
  }

  @Post(':stream/accept')
  @HttpCode(200)
  @Roles('admin')
  @Described(
    'acceptLostEnd',
    'Let one history that ends before what was shown of it go on from where the log has it',
    'For good: what was shown of it beyond, and told to partners, is history no more.',
  )
  @ApiParam({
    name: 'stream',
    type: String,
    description: 'The history, `deposit-` or `legacy-transaction-` and its id',
  })
  @ApiOkResponse({ type: AcceptedEndsBody })
  @OperatorErrors(projectionErrors.noLostEnd(), projectionErrors.notAcceptable())
  async accept(
    @Param('stream') stream: string,
    @Body() { reason }: AcceptEndsBody,
    @Actor() operator: Operator,
    @CheckDanger() checkDanger: DangerCheck,
  ): Promise<AcceptedEndsBody> {
    if (!placeOfRow(this.parts.kinds, stream)) throw projectionErrors.noLostEnd();
    const looked = await lookAtLostEnds(this.parts, stream);
    const [refused] = looked.refused;
    if (refused) throw projectionErrors.notAcceptable(refused.because);
    if (looked.acceptable.length === 0) throw projectionErrors.noLostEnd();
    return this.#accept(looked, reason, operator, checkDanger);
  }

  async #accept(
    looked: Looked,
    reason: string,
    operator: Operator,
    checkDanger: DangerCheck,
  ): Promise<AcceptedEndsBody> {
    await checkDanger(aboutOf(looked.acceptable.map(bodyOf)));
    const change = { actor: actorOf(operator), action: 'changed', subject: 'history' } as const;
    const accepted = await acceptEnds(this.parts.pool, looked, reason, async (db, ends) => {
      await tellEndsAsBefore(db, ends);
      for (const { stream, shown, endsAt } of ends)
        await recordChange(db, {
          ...{ ...change, subjectId: stream, before: { shown_revision: shown }, after: { ends_at: endsAt, reason } },
        });
    });
    return { accepted: accepted.map(bodyOf), refused: [...looked.refused], left: looked.left };
  }
}

export const lostEndRoutes = (parts: EndsParts): DynamicModule =>
  routesOf([LostEndsController], { [LOST_ENDS]: parts });
