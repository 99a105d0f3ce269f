import { Body, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import { Actor, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { appliedOr } from '#door/answers';
import { scopeErrors, shown } from '#door/errors';
import { Described } from '#door/openapi';
import { type Simulate, type Simulated, type Simulation, scenarioSentences } from '#engine';
import { amount as amountOf } from '#money';
import { actorOf, type Operator } from '#partners';
import { SIMULATE } from '../parts.ts';
import { ScenariosBody, SimulateBody, SimulationBody, stepBody } from './simulate-body.ts';

const simulationErrors = {
  cannotPlay: (why: string) =>
    shown(409, `This scenario cannot be played with this deposit: ${why}`, { code: 'scenario_unplayable' }),
  notSimulated: () =>
    shown(409, 'The engine is not simulated here: it plays scenarios only with ENGINE=simulated', {
      code: 'engine_not_simulated',
    }),
} as const;

const planned = appliedOr<Simulated>({
  not_found: scopeErrors.depositNotFound,
  refused: ({ refusal: { why } }) => simulationErrors.cannotPlay(why),
});

/** One of the two is there: the body was checked for that. */
const subjectIn = ({ deposit_id = 0, transaction_id }: SimulateBody): Simulation['subject'] =>
  transaction_id === undefined ? { depositId: deposit_id } : { transactionId: transaction_id };

@OperatorRoutes('engine/simulate', 'Engine', 'admin', 'ops')
export class SimulateController {
  @Inject(SIMULATE) private readonly simulate!: Simulate | null;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listScenarios', 'What the simulated engine can play')
  @ApiOkResponse({ type: ScenariosBody })
  scenarios(): ScenariosBody {
    return { scenarios: [...scenarioSentences] };
  }

  @Post()
  @HttpCode(202)
  @Described(
    'simulate',
    'Let the simulated engine pay, screen and confirm a deposit, or pay a legacy transaction',
    'With ENGINE=simulated alone. The steps follow each other with a pause, and survive a restart.',
  )
  @ApiAcceptedResponse({ type: SimulationBody })
  @OperatorErrors(
    scopeErrors.depositNotFound(),
    simulationErrors.cannotPlay('no payment waits for its confirmation'),
    simulationErrors.notSimulated(),
  )
  async play(@Actor() operator: Operator, @Body() body: SimulateBody): Promise<SimulationBody> {
    if (!this.simulate) throw simulationErrors.notSimulated();
    const { scenario, confirm = true, amount } = body;
    const outcome = await this.simulate({
      subject: subjectIn(body),
      scenario,
      confirm,
      amount: amount === undefined ? null : amountOf(amount),
      actor: actorOf(operator),
    });
    const { deposit_id, transaction_id } = body;
    return {
      ...(transaction_id === undefined ? deposit_id !== undefined && { deposit_id } : { transaction_id }),
      scenario,
      steps: planned(outcome).steps.map(stepBody),
    };
  }
}
