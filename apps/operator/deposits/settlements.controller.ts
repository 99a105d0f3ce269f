import { Body, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { wouldReleaseSettlement } from '#deposit-commands';
import { ReleaseSettlement } from '#deposit-commands/cqrs';
import { Actor, CheckDanger, type DangerCheck, OperatorRoutes, Roles } from '#door/access';
import { depositIdOf } from '#door/deposits';
import { listed } from '#door/lists';
import { Described } from '#door/openapi';
import { actorOf, type Operator } from '#partners';
import { shownOnceRecorded } from '../http/recorded.ts';
import { datedWhere } from '../http/stale.ts';
import { refuseSettlement, settlementReleased } from './answers.ts';
import { seenOf, settlementAsItStands } from './as-it-stands.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { ReleaseSettlementBody } from './release-bodies.ts';
import { PageErrors, ReleaseSettlementErrors } from './route-errors.ts';
import { SettlementBody, SettlementsBody, SettlementsQuery } from './settlements-body.ts';

@OperatorRoutes('operator/settlements', 'Operator: deposits', 'admin', 'ops', 'auditor')
export class SettlementsController {
  @Inject(CommandBus) private readonly commands!: CommandBus;
  @Inject(OPERATOR_DEPOSITS) private readonly parts!: OperatorDepositsParts;

  @Get()
  @Described('listSettlements', 'What a casino is settled: its accepted live deposits, newest first')
  @ApiOkResponse({ type: SettlementsBody })
  @PageErrors()
  async list(@Query() { entity_id, cursor, stale }: SettlementsQuery): Promise<SettlementsBody> {
    const { reads } = this.parts;
    const place = { stale: stale !== undefined, ...(cursor !== undefined && { before: Number(cursor) }) };
    const dated = await datedWhere(stale, reads.movedAt);
    return { ...listed(await reads.settlements(Number(entity_id), place)), ...dated };
  }

  @Post(':deposit_id/release')
  @HttpCode(200)
  @Roles('admin')
  @Described('releaseSettlement', 'Let a deposit be settled in spite of what withholds it now')
  @ApiParam({ name: 'deposit_id', type: 'integer' })
  @ApiOkResponse({ type: SettlementBody })
  @ReleaseSettlementErrors()
  async release(
    @Body() { note = null, withheld, seen_revision }: ReleaseSettlementBody,
    @Param('deposit_id') id: string,
    @Actor() operator: Operator,
    @CheckDanger() checkDanger: DangerCheck,
  ): Promise<SettlementBody> {
    const { reads, log } = this.parts;
    const depositId = depositIdOf(id);
    const asked = { note, named: withheld ?? null, seen: seen_revision ?? null };
    const request = { depositId, actor: actorOf(operator), ...asked };
    const now = new Date().toISOString();
    const seen = await seenOf(
      log,
      { ...request, operator, checkDanger },
      {
        ...{ stands: settlementAsItStands },
        refuse: (deposit) => refuseSettlement(wouldReleaseSettlement(deposit, request, now)),
      },
    );
    const release = new ReleaseSettlement({ ...request, seen });
    const { position } = settlementReleased(await this.commands.execute(release));
    return shownOnceRecorded(
      reads.untilVisible(position).then((visible) => (visible ? reads.settlement(depositId) : undefined)),
    );
  }
}
