import { LRUCache } from 'lru-cache';
import type { EventLog, RecordedEvent } from '#event-log';

/** How streams of one kind are folded. */
export type Folding<State> = {
  readonly initial: State;
  readonly evolve: (state: State, event: RecordedEvent) => State;
};

/** What happened to lately, folded as far as the relay has read it. */
export type Histories<State> = {
  /** What the stream came to before the event of this revision, however far it has gone since. */
  readonly before: (stream: string, revision: number) => Promise<State>;
  readonly remember: (stream: string, revision: number, state: State) => void;
};

/** Some 2 kB each, which every look through the heap passes by. */
const DEFAULT_CAPACITY = 2_500;

export const foldedHistories = <State>(
  log: Pick<EventLog, 'read'>,
  { initial, evolve }: Folding<State>,
  capacity = DEFAULT_CAPACITY,
): Histories<State> => {
  const folded = new LRUCache<string, { readonly revision: number; readonly state: State }>({ max: capacity });

  /** Read without a limit, so that reads of a moment share a call of the log. */
  const foldUpTo = async (stream: string, revision: number): Promise<State> => {
    let state = initial;
    for await (const event of log.read(stream)) {
      if (event.revision >= revision) break;
      state = evolve(state, event);
    }
    return state;
  };

  return {
    before: async (stream, revision) => {
      if (revision === 0) return initial;
      const known = folded.get(stream);
      return known?.revision === revision - 1 ? known.state : foldUpTo(stream, revision);
    },
    remember: (stream, revision, state) => {
      folded.set(stream, { revision, state });
    },
  };
};
