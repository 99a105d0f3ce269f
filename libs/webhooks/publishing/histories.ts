import { LRUCache } from 'lru-cache';
import { BrokenHistory, type EventLog, type RecordedEvent } from '#event-log';

/** How streams of one kind are folded. */
export type Folding<State> = {
  readonly initial: State;
  readonly evolve: (state: State, event: RecordedEvent) => State;
};

/** What happened to lately, folded as far as the relay has read it. */
export type Histories<State> = {
  /**
   * What the stream came to before this event, however far it has gone since. Throws `BrokenHistory` for an event that is
   * not as it was written, or does not follow the one before it.
   */
  readonly before: (event: RecordedEvent) => Promise<State>;
  readonly remember: (event: RecordedEvent, state: State) => void;
};

/** Some 2 kB each, which every look through the heap passes by. */
const DEFAULT_CAPACITY = 2_500;

type Folded<State> = { readonly revision: number; readonly hash: string | null; readonly state: State };

export const foldedHistories = <State>(
  log: Pick<EventLog, 'read'>,
  { initial, evolve }: Folding<State>,
  capacity = DEFAULT_CAPACITY,
): Histories<State> => {
  const beginning: Folded<State> = { revision: -1, hash: null, state: initial };
  const folded = new LRUCache<string, Folded<State>>({ max: capacity });

  /** Read without a limit, so that reads of a moment share a call of the log, which proves all that it gives. */
  const foldUpTo = async ({ stream, revision, metadata: { hash } }: RecordedEvent): Promise<State> => {
    let [state, next] = [initial, 0];
    for await (const event of log.read(stream)) {
      if (event.revision === revision && event.metadata.hash !== hash)
        throw new BrokenHistory(`stream ${stream}, revision ${revision}: it was read in two ways`);
      if (event.revision >= revision) break;
      [state, next] = [evolve(state, event), event.revision + 1];
    }
    // Where everything before it was taken away, what is left is whole by itself, and comes to nothing.
    if (next < revision) throw new BrokenHistory(`stream ${stream}: it ends before revision ${next}`);
    return state;
  };

  return {
    before: async (event) => {
      const { stream, revision, problem, metadata } = event;
      if (problem !== undefined) throw new BrokenHistory(`stream ${stream}, revision ${revision}: ${problem}`);
      const known = revision === 0 ? beginning : folded.get(stream);
      const isNext = known?.revision === revision - 1 && known.hash === metadata.prevHash;
      return isNext ? known.state : foldUpTo(event);
    },
    remember: ({ stream, revision, metadata: { hash } }, state) => {
      folded.set(stream, { revision, hash, state });
    },
  };
};
