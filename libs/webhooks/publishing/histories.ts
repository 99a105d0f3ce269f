import { LRUCache } from 'lru-cache';
import { depositEventOf } from '#deposit-commands';
import { type DepositState, evolve, initialState } from '#deposits';
import type { EventLog } from '#event-log';

type Folded = { readonly revision: number; readonly state: DepositState };

/** Deposits whose events came lately, folded as far as the relay has read them. */
export type Histories = {
  /** The deposit as it was before the event of this revision, however far its stream has gone since. */
  readonly before: (stream: string, revision: number) => Promise<DepositState>;
  readonly remember: (stream: string, revision: number, state: DepositState) => void;
};

const DEFAULT_CAPACITY = 5_000;

const foldUpTo = async (log: Pick<EventLog, 'read'>, stream: string, revision: number): Promise<DepositState> => {
  let state = initialState;
  for await (const event of log.read(stream, { limit: revision })) state = evolve(state, depositEventOf(event));
  return state;
};

export const createHistories = (log: Pick<EventLog, 'read'>, capacity = DEFAULT_CAPACITY): Histories => {
  const folded = new LRUCache<string, Folded>({ max: capacity });
  return {
    before: async (stream, revision) => {
      if (revision === 0) return initialState;
      const known = folded.get(stream);
      return known?.revision === revision - 1 ? known.state : foldUpTo(log, stream, revision);
    },
    remember: (stream, revision, state) => {
      folded.set(stream, { revision, state });
    },
  };
};
