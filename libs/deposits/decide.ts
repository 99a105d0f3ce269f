import { type AssignRefusal, decideAssign } from './address/assign.ts';
import { decideSignal } from './decide-signal.ts';
import { decideAccept } from './decision/accept.ts';
import { decideFreeze } from './decision/freeze.ts';
import type { AcceptRefusal, FreezeRefusal, ReturnRefusal } from './decision/refusals.ts';
import { decideReturn } from './decision/return.ts';
import type { AssignAddress, DepositCommand, OperatorCommand, PartnerCommand } from './floor/commands.ts';
import { type CommandOutcome, refused, type SignalOutcome } from './floor/outcome.ts';
import type { EngineSignal } from './floor/signals.ts';
import type { Deposit, DepositState } from './floor/state.ts';
import { decideIssue } from './quote/issue.ts';
import type { IssueRefusal } from './quote/refusals.ts';
import { decideRelease, type ReleaseRefusal } from './refund/release.ts';
import { decideReview, type ReviewRefusal } from './screening/review.ts';
import { decideReleaseSettlement, type SettlementRefusal } from './settlement/release.ts';

export type NotFound = { readonly refusal: 'deposit_not_found' };

export type Refusal =
  | NotFound
  | IssueRefusal
  | AssignRefusal
  | AcceptRefusal
  | ReturnRefusal
  | FreezeRefusal
  | ReviewRefusal
  | ReleaseRefusal
  | SettlementRefusal;

export type Outcome = CommandOutcome<Refusal> | SignalOutcome;

type ToDeposit = AssignAddress | PartnerCommand | OperatorCommand;

const isToDeposit = (command: ToDeposit | EngineSignal): command is ToDeposit => !('signalId' in command);

const decideOn = (deposit: Deposit, command: ToDeposit): CommandOutcome<Refusal> => {
  switch (command.type) {
    case 'AssignAddress':
      return decideAssign(deposit, command);
    case 'AcceptDeposit':
      return decideAccept(deposit, command);
    case 'ReturnDeposit':
      return decideReturn(deposit, command);
    case 'FreezeDeposit':
      return decideFreeze(deposit, command);
    case 'ReviewKyt':
      return decideReview(deposit, command);
    case 'ReleaseReturn':
      return decideRelease(deposit, command);
    case 'ReleaseSettlement':
      return decideReleaseSettlement(deposit, command);
  }
};

/** What a command comes to. Time and rates come in with it; nothing here asks a clock or the network. */
export const decide = (state: DepositState, command: DepositCommand): Outcome => {
  if (command.type === 'IssueQuote') return decideIssue(state, command);
  if (!isToDeposit(command)) return decideSignal(state, command);
  return state.stage === 'none' ? refused({ refusal: 'deposit_not_found' }) : decideOn(state, command);
};
