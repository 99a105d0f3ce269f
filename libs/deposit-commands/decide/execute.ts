import { type CommandOutcome, type Deposit, type DepositEvent, type DepositState, evolve } from '#deposits';
import type { EventLog } from '#event-log';
import { scopeErrors } from '#platform/errors';
import type { Decided } from '../decided.ts';
import { loadDeposit } from '../load.ts';
import { depositStream } from '../streams.ts';
import { newEvents } from '../write.ts';
import { whileOthersAreFirst } from './race.ts';

export type Execution<Refusal> = {
  readonly log: Pick<EventLog, 'append' | 'read'>;
  readonly depositId: number;
  readonly actor: string;
  /** A deposit that this caller may not see is not found. */
  readonly isVisible?: (deposit: Deposit) => boolean;
  readonly decide: (deposit: Deposit) => Promise<CommandOutcome<Refusal>>;
  /** `lostTheRace`: the decision was pending when the command came in, and is not any more. */
  readonly refuse: (refusal: Refusal, lostTheRace: boolean) => Error;
};

const issued = (state: DepositState): Deposit => {
  if (state.stage === 'none') throw scopeErrors.depositNotFound();
  return state;
};

const after = (deposit: Deposit, events: readonly DepositEvent[]): Deposit =>
  issued(events.reduce<DepositState>(evolve, deposit));

/** One command on one deposit: load, decide, append once with the revision that was looked at. */
export const execute = async <Refusal>(execution: Execution<Refusal>): Promise<Decided> => {
  const { log, depositId, actor, isVisible, decide, refuse } = execution;
  let cameInPending = false;
  return whileOthersAreFirst(async (tryNumber) => {
    const { state, revision } = await loadDeposit(log, depositId);
    const deposit = issued(state);
    if (isVisible && !isVisible(deposit)) throw scopeErrors.depositNotFound();
    const pending = deposit.standing.decision === 'pending';
    if (tryNumber === 1) cameInPending = pending;
    const outcome = await decide(deposit);
    if (outcome.outcome === 'refused') throw refuse(outcome.refusal, cameInPending && !pending);
    const { position } = await log.append(depositStream(depositId), revision, newEvents(outcome.events, actor));
    return { deposit: after(deposit, outcome.events), position };
  });
};
