/** The command side of deposits: loads a history, lets the core decide, appends once. */
import { migrationsBeside } from '#platform/migrations';

export { startAddressCompletion } from './create/complete-addresses.ts';
export type { NotVerified } from './create/issue-desk.ts';
export type { CreateOutcome, CreateRefusal } from './create/outcome.ts';
export type { CreateRequest } from './create/request.ts';
export type {
  AcceptOutcome,
  FreezeOutcome,
  ReturnOutcome,
} from './decide/decisions.ts';
export {
  type ReleaseOutcome,
  type ReleaseSettlementOutcome,
  type ReviewOutcome,
  wouldRelease,
  wouldReleaseSettlement,
  wouldReview,
} from './decide/operators.ts';
export { whileOthersAreFirst } from './decide/race.ts';
export {
  allGiven,
  GIVEN_ALWAYS,
  type GivenIds,
  type GivenWhile,
  type Giving,
  hasGivenIds,
  lastIds,
  NumbersUnavailable,
  passOverIds,
  raiseIds,
} from './ids.ts';
export { type FindKept, keptPayments } from './kept-payments.ts';
export { knownEvents } from './known-events.ts';
export { depositEventOf, loadDeposit, signalSetAsideOf } from './load.ts';
export { NotBegun, orNotBegun, orNothingRecorded } from './not-begun.ts';
export { type DepositCommands, type DepositCommandsParts, openDepositCommands } from './open.ts';
export { type Busy, type Decided, type NotFound, notFound } from './outcome.ts';
export { givenTo, newPayment, takenByAnother } from './outputs.ts';
export { shareLog } from './shared-log.ts';
export type { ApplySignals } from './signals.ts';
export { type SignalHandled, type SignalResult, signalsInOrder } from './signals-in-order.ts';
export {
  depositStream,
  depositStreamPrefix,
  isDepositStream,
  isFastLaneStream,
  isStreamOfDeposits,
  setAsideStream,
  setAsideStreamPrefix,
} from './streams.ts';
export { newEvents } from './write.ts';

export const migrations = migrationsBeside(import.meta.url, 'deposit_commands');
