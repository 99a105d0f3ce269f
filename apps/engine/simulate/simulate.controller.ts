import { Body, Controller, Get, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { scopeErrors } from '#door/errors';
import { type Simulate, scenarioSentences } from '#engine';
import { amount as amountOf } from '#money';
import { actorOf, type Operator } from '#partners';
import { SIMULATE } from '../parts.ts';
import { planned, simulationErrors } from './answers.ts';
import { ScenariosBody, SimulateBody, SimulationBody, stepBody } from './simulate-body.ts';

@ApiTags('Engine')
@ApiBearerAuth('operator_token')
@Controller('engine/simulate')
@UseGuards(OperatorGuard)
@Roles('admin', 'ops')
export class SimulateController {
  readonly #simulate: Simulate | null;

  constructor(@Inject(SIMULATE) simulate: Simulate | null) {
    this.#simulate = simulate;
  }

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @ApiOperation({ operationId: 'listScenarios', summary: 'What the simulated engine can play' })
  @ApiOkResponse({ type: ScenariosBody })
  @OperatorErrors()
  scenarios(): ScenariosBody {
    return { scenarios: [...scenarioSentences] };
  }

  @Post()
  @HttpCode(202)
  @ApiOperation({
    operationId: 'simulate',
    summary: 'Let the simulated engine pay, screen and confirm a deposit',
    description: 'With ENGINE=simulated alone. The steps follow each other with a pause, and survive a restart.',
  })
  @ApiAcceptedResponse({ type: SimulationBody })
  @OperatorErrors(
    scopeErrors.depositNotFound(),
    simulationErrors.cannotPlay('no payment waits for its confirmation'),
    simulationErrors.notSimulated(),
  )
  async play(@Actor() operator: Operator, @Body() body: SimulateBody): Promise<SimulationBody> {
    if (!this.#simulate) throw simulationErrors.notSimulated();
    const { deposit_id, scenario, confirm = true, amount } = body;
    const outcome = await this.#simulate({
      depositId: deposit_id,
      scenario,
      confirm,
      amount: amount === undefined ? null : amountOf(amount),
      actor: actorOf(operator),
    });
    return { deposit_id, scenario, steps: planned(outcome).steps.map(stepBody) };
  }
}
