import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Decided, depositStream } from '#deposit-commands';
import { Actor, OperatorGuard, Roles } from '#door/access';
import { DepositBody, depositIdOf } from '#door/deposits';
import { limitOf } from '#door/lists';
import { actorOf, type Operator } from '#partners';
import { scopeErrors } from '#platform/errors';
import { DepositPageBody, KytReviewBody } from './deposit-bodies.ts';
import { filtersOf, OperatorDepositsQuery } from './deposits-query.ts';
import { EventsBody, eventBody } from './event-body.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { DepositErrors, PageErrors, ReleaseErrors, ReviewErrors } from './route-errors.ts';

@ApiTags('Operator: deposits')
@ApiBearerAuth('operator_token')
@Controller('operator/deposits')
@UseGuards(OperatorGuard)
@Roles('admin', 'ops')
export class OperatorDepositsController {
  readonly #parts: OperatorDepositsParts;

  constructor(@Inject(OPERATOR_DEPOSITS) parts: OperatorDepositsParts) {
    this.#parts = parts;
  }

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @ApiOperation({ operationId: 'pageDeposits', summary: 'The deposits of all casinos, newest first' })
  @ApiOkResponse({ type: DepositPageBody })
  @PageErrors()
  async page(@Query() query: OperatorDepositsQuery): Promise<DepositPageBody> {
    return this.#parts.reads.page(filtersOf(query), {
      limit: limitOf(query.limit),
      ...(query.cursor !== undefined && { cursor: query.cursor }),
    });
  }

  @Get(':id/events')
  @Roles('admin', 'ops', 'auditor')
  @ApiOperation({ operationId: 'depositEvents', summary: "A deposit's whole history, with its hash chain" })
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: EventsBody })
  @DepositErrors()
  async events(@Param('id') id: string): Promise<EventsBody> {
    const recorded = await Array.fromAsync(this.#parts.log.read(depositStream(depositIdOf(id)), { asStored: true }));
    if (recorded.length === 0) throw scopeErrors.depositNotFound();
    return { events: recorded.map(eventBody) };
  }

  @Post(':id/kyt-review')
  @HttpCode(200)
  @ApiOperation({ operationId: 'reviewKyt', summary: 'Decide a KYT review, or overrule a KYT failure' })
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: DepositBody })
  @ReviewErrors()
  reviewKyt(@Body() body: KytReviewBody, @Param('id') id: string, @Actor() operator: Operator): Promise<DepositBody> {
    const { result, note = null } = body;
    const about = { depositId: depositIdOf(id), actor: actorOf(operator) };
    return this.#shown(this.#parts.commands.reviewKyt({ ...about, result, note }));
  }

  @Post(':id/release-return')
  @HttpCode(200)
  @ApiOperation({ operationId: 'releaseReturn', summary: 'Let a return go that screening holds' })
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: DepositBody })
  @ReleaseErrors()
  releaseReturn(@Param('id') id: string, @Actor() operator: Operator): Promise<DepositBody> {
    const about = { depositId: depositIdOf(id), actor: actorOf(operator) };
    return this.#shown(this.#parts.commands.releaseReturn(about));
  }

  async #shown(command: Promise<Decided>): Promise<DepositBody> {
    const { deposit, position } = await command;
    // A list asked for right afterwards shows it; past the bound that list waits by itself.
    await this.#parts.reads.untilVisible(position);
    const known = await this.#parts.reads.byId(deposit.terms.depositId);
    if (!known) throw scopeErrors.depositNotFound();
    return known.view;
  }
}
