import { Body, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type { Decided } from '#deposit-commands';
import { ReleaseReturn, ReviewKyt } from '#deposit-commands/cqrs';
import { Actor, Dangerous, IsApproved, OperatorRoutes, Roles } from '#door/access';
import { DepositBody, depositIdOf } from '#door/deposits';
import { cursorIn, limitOf, listed } from '#door/lists';
import { Described } from '#door/openapi';
import { actorOf, type Operator } from '#partners';
import { readPageCursor } from '#read-models/deposits';
import { shownOnceRecorded } from '../http/recorded.ts';
import { datedWhere } from '../http/stale.ts';
import { released, reviewed } from './answers.ts';
import { DepositPageBody, KytReviewBody } from './deposit-bodies.ts';
import { filtersOf, OperatorDepositsQuery } from './deposits-query.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { lookedAt, ReleaseReturnBody } from './release-bodies.ts';
import { PageErrors, ReleaseErrors, ReviewErrors } from './route-errors.ts';

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
  @Dangerous()
  @Described('reviewKyt', 'Decide a KYT review, or overrule a KYT failure')
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: DepositBody })
  @ReviewErrors()
  async reviewKyt(
    @Body() body: KytReviewBody,
    @Param('id') id: string,
    @Actor() operator: Operator,
    @IsApproved() isApproved: boolean,
  ): Promise<DepositBody> {
    // A failure may have come after the approval was asked for: whoever approves one has it named.
    const { result, note = null, kyt_status: named = isApproved ? 'review' : null } = body;
    const about = { depositId: depositIdOf(id), actor: actorOf(operator) };
    return this.#shown(reviewed(await this.commands.execute(new ReviewKyt({ ...about, result, note, named }))));
  }

  @Post(':id/release-return')
  @HttpCode(200)
  @Dangerous('by role')
  @Described('releaseReturn', 'Let a return go that screening holds; after an OFAC hit an admin alone')
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiBody({ type: ReleaseReturnBody, required: false })
  @ApiOkResponse({ type: DepositBody })
  @ReleaseErrors()
  async releaseReturn(
    @Body() { held_because: named }: ReleaseReturnBody,
    @Param('id') id: string,
    @Actor() operator: Operator,
    @IsApproved() isApproved: boolean,
  ): Promise<DepositBody> {
    const about = { depositId: depositIdOf(id), actor: actorOf(operator), afterHit: operator.role === 'admin' };
    const release = new ReleaseReturn({ ...about, named: lookedAt(named, isApproved) });
    return this.#shown(released(await this.commands.execute(release)));
  }

  async #shown({ deposit }: Decided): Promise<DepositBody> {
    const { text } = await shownOnceRecorded(this.parts.reads.byId(deposit.terms.depositId));
    return JSON.parse(text) as DepositBody;
  }
}
