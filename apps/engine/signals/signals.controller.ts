import { Body, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { signalOutcomes } from '#deposits';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes } from '#door/access';
import { shown } from '#door/errors';
import { List, Text, Word } from '#door/fields';
import { MOST_SIGNALS, SignalsNotTaken, type TakeSignals } from '#engine';
import { actorOf, type Operator } from '#partners';
import { TAKE_SIGNALS } from '../parts.ts';
import { anySignal, signalExamples, signalSchemas } from './signal-schemas.ts';
import { signalsOf, tooManySignals } from './signals-of.ts';

class SignalsBody {
  @ApiProperty({
    type: 'array',
    items: anySignal,
    description: 'In the order in which they are to be applied',
    maxItems: MOST_SIGNALS,
  })
  signals!: object[];
}

class SignalResultBody {
  @Text.orNull('As it was sent, if it was text', 'sig-1')
  signal_id!: string | null;

  @Word(
    signalOutcomes,
    'applied: it changed something; duplicate: the signal_id was taken before; ignored: valid, but it changes nothing; rejected: it makes no sense, detail says why',
    'applied',
  )
  outcome!: string;

  @Text.orNull('Why it was rejected or ignored', null)
  detail!: string | null;
}

class SignalResultsBody {
  @List(SignalResultBody, 'One for each signal, in the order sent')
  results!: SignalResultBody[];
}

const signalsNotTaken = () =>
  shown(
    503,
    'Not every signal could be taken, because a store does not answer. Send the same call again: signals that were taken are answered as duplicate',
    { code: 'signals_not_taken' },
  );

/** Told in the log where it happened. */
const notTaken = (error: unknown): never => {
  throw error instanceof SignalsNotTaken ? signalsNotTaken() : error;
};

@OperatorRoutes('engine/signals', 'Engine', 'engine', 'admin')
export class SignalsController {
  @Inject(TAKE_SIGNALS) private readonly takeSignals!: TakeSignals;

  @Post()
  @HttpCode(200)
  @Dangerous()
  @ApiOperation({
    operationId: 'takeSignals',
    summary: 'What happened on chain, in screening and in settlement',
    description:
      'One bad signal never spoils the others. Signals of one deposit are applied in list order. The answer comes when their effect is visible to every GET. ' +
      'Each names its deposit by deposit_id, address or transaction_id. A field that is null is as good as left out.',
  })
  @ApiExtraModels(...signalSchemas)
  @ApiBody({ type: SignalsBody, examples: signalExamples })
  @ApiOkResponse({ type: SignalResultsBody })
  @OperatorErrors(tooManySignals(), signalsNotTaken())
  async take(@Actor() operator: Operator, @Body() body: unknown): Promise<SignalResultsBody> {
    const results = await this.takeSignals(signalsOf(body), actorOf(operator)).catch(notTaken);
    return { results: [...results] };
  }
}
