import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, ValidateIf } from 'class-validator';
import { IsId, IsPositiveDecimal, Optional } from '#door/rules';
import { type PlannedStep, type ScenarioName, scenarioNames } from '#engine';

export class SimulateBody {
  @ValidateIf(({ transaction_id }) => transaction_id === undefined)
  @IsId()
  @ApiProperty({ type: Number, required: false, description: 'This or transaction_id', example: 1042 })
  deposit_id?: number;

  @Optional()
  @IsId()
  @ApiProperty({ type: Number, required: false, description: 'In place of deposit_id: a legacy transaction' })
  transaction_id?: number;

  @IsIn(scenarioNames)
  @ApiProperty({ type: String, description: 'One of the list of scenarios', enum: [...scenarioNames], example: 'paid' })
  scenario!: ScenarioName;

  @Optional()
  @IsBoolean()
  @ApiProperty({ type: Boolean, required: false, default: true, description: 'false: stop before the chain confirms' })
  confirm?: boolean;

  @Optional()
  @IsPositiveDecimal()
  @ApiProperty({ type: String, required: false, description: 'Pay this much instead, as decimal text', example: '0.5' })
  amount?: string;
}

export class PlannedStepBody {
  @ApiProperty({ type: String, description: 'The id of the signal that it will be', example: 'simulated-0b6f…-1' })
  signal_id!: string;

  @ApiProperty({ type: String, description: 'The type of that signal', example: 'payment.seen' })
  type!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When it will be played',
    example: '2026-11-21T14:00:00.000Z',
  })
  due_at!: string;
}

export class SimulationBody {
  @ApiProperty({ type: Number, required: false, description: 'As sent', example: 1042 })
  deposit_id?: number;

  @ApiProperty({ type: Number, required: false, description: 'As sent' })
  transaction_id?: number;

  @ApiProperty({ type: String, example: 'paid' })
  scenario!: string;

  @ApiProperty({ type: [PlannedStepBody], description: 'In order' })
  steps!: PlannedStepBody[];
}

export const stepBody = ({ signal, dueAt }: PlannedStep): PlannedStepBody => ({
  signal_id: signal.signalId,
  type: signal.type,
  due_at: dueAt.toISOString(),
});

export class ScenarioBody {
  @ApiProperty({ type: String, description: 'To be sent as scenario', example: 'paid' })
  name!: string;

  @ApiProperty({
    type: String,
    description: 'What it plays',
    example: 'The exact amount is paid, screening finds nothing, and the chain confirms.',
  })
  sentence!: string;
}

export class ScenariosBody {
  @ApiProperty({ type: [ScenarioBody] })
  scenarios!: ScenarioBody[];
}
