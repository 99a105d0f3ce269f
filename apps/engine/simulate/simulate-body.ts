import { ValidateIf } from 'class-validator';
import { List, Num, SentFlag, SentId, SentWord, Text, Time } from '#door/fields';
import { IsId, IsPositiveDecimal, Optional } from '#door/rules';
import { type PlannedStep, type ScenarioName, scenarioNames } from '#engine';

export class SimulateBody {
  @ValidateIf(({ transaction_id }) => transaction_id === undefined)
  @IsId()
  @Num.optional('This or transaction_id', 1042)
  deposit_id?: number;

  @SentId.optional('In place of deposit_id: a legacy transaction')
  transaction_id?: number;

  @SentWord(scenarioNames, 'One of the list of scenarios', 'paid')
  scenario!: ScenarioName;

  @SentFlag.byDefault(true, 'false: stop before the chain confirms')
  confirm?: boolean;

  @Optional()
  @IsPositiveDecimal()
  @Text.optional('Pay this much instead, as decimal text', '0.5')
  amount?: string;
}

export class PlannedStepBody {
  @Text('The id of the signal that it will be', 'simulated-0b6f…-1')
  signal_id!: string;

  @Text('The type of that signal', 'payment.seen')
  type!: string;

  @Time('When it will be played', '2026-11-21T14:00:00.000Z')
  due_at!: string;
}

export class SimulationBody {
  @Num.optional('As sent', 1042)
  deposit_id?: number;

  @Num.optional('As sent')
  transaction_id?: number;

  @Text('As sent', 'paid')
  scenario!: string;

  @List(PlannedStepBody, 'In order')
  steps!: PlannedStepBody[];
}

export const stepBody = ({ signal, dueAt }: PlannedStep): PlannedStepBody => ({
  signal_id: signal.signalId,
  type: signal.type,
  due_at: dueAt.toISOString(),
});

export class ScenarioBody {
  @Text('To be sent as scenario', 'paid')
  name!: string;

  @Text('What it plays', 'The exact amount is paid, screening finds nothing, and the chain confirms.')
  sentence!: string;
}

export class ScenariosBody {
  @List(ScenarioBody, 'All of them')
  scenarios!: ScenarioBody[];
}
