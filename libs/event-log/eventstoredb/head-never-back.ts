import type { EventMark } from '../port.ts';
import { isBefore, type Position } from '../position.ts';
import { createSince } from '../since.ts';
import { ConnectionLost, type EventStore, SeenElsewhere, type StoredEvent } from '../store.ts';

/** What a node says of its end. */
export type Ends = {
  /** Where all ends, whoever wrote it, the server too. */
  readonly place: Position | undefined;
  /** The last event that is not the server's own. */
  readonly head: Position | undefined;
  /** The last one that is known to be ours. */
  readonly own: Position | undefined;
};

/** A store that tells with each head where its node ends. */
export type AtItsNode = Omit<EventStore, 'head' | 'newest'> & {
  readonly head: () => Promise<Ends>;
  readonly newest: () => Promise<Ends>;
};

/** Longer than any leader that wakes answers from its past. */
const FOR_LONG_MS = 5_000;

const BEHIND = 'EventStoreDB: the log ends before what was seen of it: the node answers from its past';

/**
 * A node that ends before an event of ours which this process has seen answers from its past, and is asked again. Events
 * of others show nothing: whoever wrote them may have the server take them away, and the head then goes back for good.
 * So may one of ours be taken, by an operator; therefore the node is judged by where all ends. What takes events out of
 * the log, a scavenge, writes behind them all, which is never taken before the next one has written.
 *
 * Who asks seldom may see another log between two looks, and hold that against his own for good: so where one has stayed
 * behind for long it is told by what stood in it last, and by how far all had been seen by then. A log that was put back
 * is shorter than that.
 */
export const headNeverBack = (store: AtItsNode): EventStore => {
  let furthest: Position | undefined;
  let found: { readonly mark: EventMark; readonly seen: Position | undefined } | undefined;
  const behind = createSince();
  const see = (position: Position | undefined): void => {
    if (position !== undefined && (furthest === undefined || position > furthest)) furthest = position;
  };

  async function* noted<Given>(given: AsyncIterable<Given>, note: (given: Given) => void): AsyncGenerator<Given> {
    for await (const each of given) {
      note(each);
      yield each;
    }
  }

  /** Forwards or backwards: the furthest is the first or the last. */
  const seeAll = (events: readonly StoredEvent[]): void => {
    see(events[0]?.position);
    see(events.at(-1)?.position);
  };

  const check = (seen: Position | undefined, place: Position | undefined): void => {
    if (seen === undefined || (place !== undefined && place >= seen)) {
      behind.over();
      return;
    }
    if (behind.forMs() < FOR_LONG_MS || !found || isBefore(place, found.seen)) throw new ConnectionLost(BEHIND);
    throw new SeenElsewhere(BEHIND, found.mark);
  };

  const headOf = async (ask: () => Promise<Ends>): Promise<Position | undefined> => {
    const seen = furthest;
    const { place, head, own } = await ask();
    check(seen, place);
    see(own);
    return head;
  };

  return {
    ...store,
    append: async (...asked) => {
      const seen = furthest;
      const outcome = await store.append(...asked);
      if (outcome.kind !== 'appended') return outcome;
      // What is written stands behind all that was there, but for the repeat of what was written before.
      if (seen !== undefined && outcome.position <= seen) check(seen, await store.end());
      see(outcome.position);
      return outcome;
    },
    readStream: (...asked) => noted(store.readStream(...asked), ({ position }) => see(position)),
    readAll: (...asked) => noted(store.readAll(...asked), seeAll),
    follow: (...asked) => noted(store.follow(...asked), ({ events }) => seeAll(events)),
    head: () => headOf(store.head),
    end: async () => {
      const seen = furthest;
      const place = await store.end();
      check(seen, place);
      return place;
    },
    newest: () => headOf(store.newest),
    holds: async (mark) => {
      const seen = furthest;
      const isHeld = await store.holds(mark);
      if (isHeld && !behind.isSo()) found = { mark, seen };
      return isHeld;
    },
    forget: () => {
      furthest = undefined;
      found &&= { mark: found.mark, seen: undefined };
      behind.over();
      store.forget();
    },
  };
};
