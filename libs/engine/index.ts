/** The payment engine: signals in, deadlines, refunds, and a simulated engine for those who have no real one. */
import { migrationsBeside } from '#platform/migrations';

export { startFailingSignals } from './failing/start-failing.ts';
export { consumeSignals, SIGNALS_GROUP, SIGNALS_TOPIC } from './from-bus/consume-signals.ts';
export { engineProjections } from './projections.ts';
export { type ReturnState, returnStates } from './refunds/list-returns.ts';
export { openReturnReads, type ReturnReads } from './refunds/return-reads.ts';
export { simulatedSender } from './refunds/simulated-sender.ts';
export { startRefunds } from './refunds/start-refunds.ts';
export { listSignals } from './registry/list-signals.ts';
export { pruneSignals } from './registry/prune.ts';
export { type KeptOutcome, keptOutcomes } from './registry/record-outcomes.ts';
export { toldBy } from './registry/told-by.ts';
export { type SignalDescription, signalDescriptions } from './signals/descriptions.ts';
export { type ScenarioName, scenarioNames, scenarioSentences } from './simulated/scenarios.ts';
export {
  createSimulate,
  type Simulate,
  type Simulated,
  type Simulation,
} from './simulated/simulate.ts';
export { startSimulation } from './simulated/start-simulation.ts';
export type { PlannedStep } from './simulated/steps.ts';
export type { TakeParts } from './take/parts.ts';
export { SignalsNotTaken } from './take/signals-not-taken.ts';
export { createTakeSignals, isUnhandled, MOST_SIGNALS, type TakeSignals } from './take/take-signals.ts';
export { startTimers } from './timers/start-timers.ts';
export { startTransactionTimers } from './timers/start-transaction-timers.ts';

export const migrations = migrationsBeside(import.meta.url, 'engine');
