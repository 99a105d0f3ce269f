import type { Applied, Deposit } from '#deposits';
import type { EventLog } from '#event-log';
import { isInScope, type Scope } from '#partners';
import { depositAfter, loadDeposit } from '../load.ts';
import { type Busy, type Decided, type NotFound, notFound } from '../outcome.ts';
import { depositStream } from '../streams.ts';
import { newEvents } from '../write.ts';
import { whileOthersAreFirst } from './race.ts';

/** What a look at the deposit comes to, before anything is written. */
export type Decide<Otherwise> = (deposit: Deposit) => Promise<Applied | Otherwise>;

export type Execution<Otherwise> = {
  readonly log: Pick<EventLog, 'append' | 'read'>;
  readonly depositId: number;
  readonly actor: string;
  /** A deposit that this caller may not see is not found. */
  readonly scope?: Scope;
  readonly decide: Decide<Otherwise>;
};

/** One command on one deposit: load, decide, append once with the revision that was looked at. */
export const execute = <Otherwise extends { readonly outcome: 'refused' | 'lost_race' }>(
  execution: Execution<Otherwise>,
): Promise<Decided | NotFound | Busy | Otherwise> => {
  const { log, depositId, actor, scope, decide } = execution;
  return whileOthersAreFirst(async () => {
    const { state, revision } = await loadDeposit(log, depositId);
    if (state.stage === 'none' || (scope && !isInScope(scope, state.terms))) return notFound;
    const decided = await decide(state);
    if (decided.outcome !== 'applied') return decided;
    const { position } = await log.append(depositStream(depositId), revision, newEvents(decided.events, actor));
    return { outcome: 'applied', deposit: depositAfter(state, decided.events), position };
  });
};
