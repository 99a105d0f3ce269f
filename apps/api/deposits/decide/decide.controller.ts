import { Body, Controller, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiOkResponse, ApiParam, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AcceptDeposit, FreezeDeposit, ReturnDeposit } from '#deposit-commands/cqrs';
import { acceptView } from '#deposits';
import { orFailed } from '#door/answers';
import { depositIdOf } from '#door/deposits';
import { acceptErrors, returnErrors } from '#door/errors';
import { Described } from '#door/openapi';
import type { ApiKey, Scope } from '#partners';
import { Caller } from '../../caller.ts';
import { CasinoKeyGuard } from '../../casino-key.guard.ts';
import { actorOf } from '../parts.ts';
import { accepted, frozen, returned } from './answers.ts';
import { AcceptBody, AcceptedBody, FrozenBody, ReturnBody, ReturnedBody } from './decision-bodies.ts';
import { AcceptErrors, FreezeErrors, ReturnErrors } from './decision-errors.ts';

const about = (id: string, caller: ApiKey) => ({
  depositId: depositIdOf(id),
  scope: { affiliateId: caller.affiliateId, entityId: caller.entityId } satisfies Scope,
  actor: actorOf(caller),
});

/** The partner decides once per deposit, and for good. */
@ApiTags('Decisions')
@ApiSecurity('api_key')
@ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
@Controller('casino/deposit/:id')
@UseGuards(CasinoKeyGuard)
export class DecideController {
  @Inject(CommandBus) private readonly commands!: CommandBus;

  @Post('accept')
  @HttpCode(200)
  @Described('acceptDeposit', 'Credit the player')
  @ApiBody({ type: AcceptBody, required: false })
  @ApiOkResponse({ type: AcceptedBody })
  @AcceptErrors()
  async accept(@Body() body: AcceptBody, @Param('id') id: string, @Caller() caller: ApiKey): Promise<AcceptedBody> {
    const request = { ...about(id, caller), adjustToReceived: body.adjust_to_received ?? false };
    const outcome = await orFailed(this.commands.execute(new AcceptDeposit(request)), acceptErrors.failed);
    return acceptView(accepted(outcome).deposit);
  }

  @Post('return')
  @HttpCode(200)
  @Described('returnDeposit', 'Send the crypto back')
  @ApiBody({ type: ReturnBody })
  @ApiOkResponse({ type: ReturnedBody })
  @ReturnErrors()
  async return(@Body() body: ReturnBody, @Param('id') id: string, @Caller() caller: ApiKey): Promise<ReturnedBody> {
    // Without the JSON content type both are missing: the gates speak first, and then nothing can be sent.
    const { return_address: returnAddress = null, reason = null } = body;
    const command = new ReturnDeposit({ ...about(id, caller), returnAddress, reason });
    const outcome = await orFailed(this.commands.execute(command), returnErrors.failed);
    const { refund, terms } = returned(outcome).deposit;
    if (refund === null) throw new Error('a return was recorded that has no refund');
    return { deposit_id: terms.depositId, decision: 'returned', return_id: refund.returnId };
  }

  @Post('freeze')
  @HttpCode(200)
  @Described('freezeDeposit', 'Hold the crypto')
  @ApiOkResponse({ type: FrozenBody })
  @FreezeErrors()
  async freeze(@Param('id') id: string, @Caller() caller: ApiKey): Promise<FrozenBody> {
    const outcome = await this.commands.execute(new FreezeDeposit(about(id, caller)));
    const { terms } = frozen(outcome).deposit;
    return { deposit_id: terms.depositId, decision: 'frozen' };
  }
}
