import { Body, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { type Decided, wouldRelease, wouldReview } from '#deposit-commands';
import { ReleaseReturn, ReviewKyt } from '#deposit-commands/cqrs';
import { Actor, CheckDanger, type DangerCheck, OperatorRoutes, Roles } from '#door/access';
import { DepositBody, depositIdOf } from '#door/deposits';
import { cursorIn, limitOf, listed } from '#door/lists';
import { Described } from '#door/openapi';
import { actorOf, type Operator } from '#partners';
import { readPageCursor } from '#read-models/deposits';
import { shownOnceRecorded } from '../http/recorded.ts';
import { datedWhere } from '../http/stale.ts';
import { refuseRelease, refuseReview, released, reviewed } from './answers.ts';
import { kytAsItStands, returnAsItStands, seenOf } from './as-it-stands.ts';
import { DepositPageBody, KytReviewBody } from './deposit-bodies.ts';
import { filtersOf, OperatorDepositsQuery } from './deposits-query.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { ReleaseReturnBody } from './release-bodies.ts';
import { PageErrors, ReleaseErrors, ReviewErrors } from './route-errors.ts';

const now = (): string => new Date().toISOString();

@OperatorRoutes('operator/deposits', 'Operator: deposits', 'admin', 'ops')
export class OperatorDepositsController {
  @Inject(CommandBus) private readonly commands!: CommandBus;
  @Inject(OPERATOR_DEPOSITS) private readonly parts!: OperatorDepositsParts;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('pageDeposits', 'The deposits of all casinos, newest first')
  @ApiOkResponse({ type: DepositPageBody })
  @PageErrors()
  async page(@Query() query: OperatorDepositsQuery): Promise<DepositPageBody> {
    const after = cursorIn(query.cursor, readPageCursor);
    const { reads, waiting, namesOfActors } = this.parts;
    const kind = query.waiting;
    const filters = { ...filtersOf(query), ...(kind && { among: () => waiting(kind) }) };
    const place = { limit: limitOf(query.limit), stale: query.stale !== undefined, ...(after && { after }) };
    const dated = await datedWhere(query.stale, reads.movedAt);
    const { deciders, ...page } = listed(await reads.page(filters, place));
    const names = await namesOfActors(deciders.map(({ actor }) => actor));
    return { ...page, decided_by: deciders.map((one) => ({ ...one, name: names.get(one.actor) ?? null })), ...dated };
  }

  @Post(':id/kyt-review')
  @HttpCode(200)
  @Described('reviewKyt', 'Decide a KYT review, or overrule a KYT failure')
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: DepositBody })
  @ReviewErrors()
  async reviewKyt(
    @Body() { result, note = null, kyt_status, seen_revision }: KytReviewBody,
    @Param('id') id: string,
    @Actor() operator: Operator,
    @CheckDanger() checkDanger: DangerCheck,
  ): Promise<DepositBody> {
    const request = {
      ...{ depositId: depositIdOf(id), actor: actorOf(operator) },
      ...{ result, note, named: kyt_status ?? null, seen: seen_revision ?? null },
    };
    const seen = await seenOf(
      this.parts.log,
      { ...request, operator, checkDanger },
      { refuse: (deposit) => refuseReview(wouldReview(deposit, request, now())), stands: kytAsItStands },
    );
    return this.#shown(reviewed(await this.commands.execute(new ReviewKyt({ ...request, seen }))));
  }

  @Post(':id/release-return')
  @HttpCode(200)
  @Described('releaseReturn', 'Let a return go that screening holds; after an OFAC hit an admin alone')
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiBody({ type: ReleaseReturnBody, required: false })
  @ApiOkResponse({ type: DepositBody })
  @ReleaseErrors()
  async releaseReturn(
    @Body() { held_because, seen_revision }: ReleaseReturnBody,
    @Param('id') id: string,
    @Actor() operator: Operator,
    @CheckDanger() checkDanger: DangerCheck,
  ): Promise<DepositBody> {
    const request = {
      ...{ depositId: depositIdOf(id), actor: actorOf(operator) },
      ...{ afterHit: operator.role === 'admin', named: held_because ?? null, seen: seen_revision ?? null },
    };
    const seen = await seenOf(
      this.parts.log,
      { ...request, operator, checkDanger },
      {
        ...{ stands: returnAsItStands, danger: 'by role' },
        refuse: (deposit) => refuseRelease(wouldRelease(deposit, request, now())),
      },
    );
    return this.#shown(released(await this.commands.execute(new ReleaseReturn({ ...request, seen }))));
  }

  async #shown({ deposit }: Decided): Promise<DepositBody> {
    const { text } = await shownOnceRecorded(this.parts.reads.byId(deposit.terms.depositId));
    return JSON.parse(text) as DepositBody;
  }
}
