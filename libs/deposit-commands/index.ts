/** The command side of deposits: loads a history, lets the core decide, appends once. */
import { migrationsBeside } from '#platform/migrations';

export { type CompletionParts, startAddressCompletion } from './create/complete-addresses.ts';
export type { Created, NotVerified } from './create/create.ts';
export { otherBody } from './create/idempotency.ts';
export type { Player, PlayerCheck } from './create/issue-desk.ts';
export type { CreateRequest } from './create/request.ts';
export type {
  AcceptRequest,
  FreezeRequest,
  ReleaseRequest,
  ReturnRequest,
  ReviewRequest,
  Scope,
} from './decide/decisions.ts';
export { tooManyCalls } from './decide/race.ts';
export { shownRelease, shownReview } from './decide/refusals.ts';
export type { Decided } from './decided.ts';
export { knownEvents } from './known-events.ts';
export { depositEventOf, type LoadedDeposit, loadDeposit, signalSetAsideOf } from './load.ts';
export { type DepositCommands, type DepositCommandsParts, openDepositCommands } from './open.ts';
export type { ApplySignals, SignalResult } from './signals.ts';
export { depositStream, depositStreamPrefix, setAsideStream } from './streams.ts';

export const migrations = migrationsBeside(import.meta.url, 'deposit_commands');
