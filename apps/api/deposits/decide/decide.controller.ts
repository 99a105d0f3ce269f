import { Body, Controller, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Decided, Scope } from '#deposit-commands';
import { AcceptDeposit, FreezeDeposit, ReturnDeposit } from '#deposit-commands/cqrs';
import { acceptView } from '#deposits';
import { depositIdOf } from '#door/deposits';
import type { ApiKey } from '#partners';
import { Caller } from '../../caller.ts';
import { CasinoKeyGuard } from '../../casino-key.guard.ts';
import { actorOf, DEPOSIT_ROUTES, type DepositRoutesParts } from '../parts.ts';
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
  readonly #commands: CommandBus;
  readonly #untilVisible: DepositRoutesParts['untilVisible'];

  constructor(@Inject(CommandBus) commands: CommandBus, @Inject(DEPOSIT_ROUTES) { untilVisible }: DepositRoutesParts) {
    this.#commands = commands;
    this.#untilVisible = untilVisible;
  }

  @Post('accept')
  @HttpCode(200)
  @ApiOperation({ operationId: 'acceptDeposit', summary: 'Credit the player' })
  @ApiBody({ type: AcceptBody, required: false })
  @ApiOkResponse({ type: AcceptedBody })
  @AcceptErrors()
  async accept(@Body() body: AcceptBody, @Param('id') id: string, @Caller() caller: ApiKey): Promise<AcceptedBody> {
    const request = { ...about(id, caller), adjustToReceived: body.adjust_to_received ?? false };
    return acceptView(await this.#visible(new AcceptDeposit(request)));
  }

  @Post('return')
  @HttpCode(200)
  @ApiOperation({ operationId: 'returnDeposit', summary: 'Send the crypto back' })
  @ApiBody({ type: ReturnBody })
  @ApiOkResponse({ type: ReturnedBody })
  @ReturnErrors()
  async return(@Body() body: ReturnBody, @Param('id') id: string, @Caller() caller: ApiKey): Promise<ReturnedBody> {
    // Without the JSON content type both are missing: the gates speak first, and then nothing can be sent.
    const { return_address: returnAddress = null, reason = null } = body;
    const { refund, terms } = await this.#visible(new ReturnDeposit({ ...about(id, caller), returnAddress, reason }));
    if (refund === null) throw new Error('a return was recorded that has no refund');
    return { deposit_id: terms.depositId, decision: 'returned', return_id: refund.returnId };
  }

  @Post('freeze')
  @HttpCode(200)
  @ApiOperation({ operationId: 'freezeDeposit', summary: 'Hold the crypto' })
  @ApiOkResponse({ type: FrozenBody })
  @FreezeErrors()
  async freeze(@Param('id') id: string, @Caller() caller: ApiKey): Promise<FrozenBody> {
    const { terms } = await this.#visible(new FreezeDeposit(about(id, caller)));
    return { deposit_id: terms.depositId, decision: 'frozen' };
  }

  async #visible(command: AcceptDeposit | ReturnDeposit | FreezeDeposit) {
    const { deposit, position }: Decided = await this.#commands.execute(command);
    await this.#untilVisible(position);
    return deposit;
  }
}
