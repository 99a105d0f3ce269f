import type { Position } from '../position.ts';
import { ConnectionLost, type EventStore, type StoredEvent } from '../store.ts';

/** A head behind what this process has seen is that of a node that answers from its past: it is asked for again. */
export const headNeverBack = (store: EventStore): EventStore => {
  let furthest: Position | undefined;
  const see = (position: Position): void => {
    if (furthest === undefined || position > furthest) furthest = position;
  };

  async function* noted(events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent> {
    for await (const event of events) {
      see(event.position);
      yield event;
    }
  }

  const notBack = async (ask: () => Promise<Position | undefined>): Promise<Position | undefined> => {
    const seen = furthest;
    const found = await ask();
    if (seen !== undefined && (found === undefined || found < seen))
      throw new ConnectionLost('EventStoreDB: the head is behind what was seen before: the node answers from its past');
    return found;
  };

  const seenToo = async (ask: () => Promise<Position | undefined>): Promise<Position | undefined> => {
    const found = await notBack(ask);
    if (found !== undefined) see(found);
    return found;
  };

  return {
    ...store,
    append: async (...asked) => {
      const outcome = await store.append(...asked);
      if (outcome.kind === 'appended') see(outcome.position);
      return outcome;
    },
    readStream: (...asked) => noted(store.readStream(...asked)),
    head: () => seenToo(store.head),
    // Records of the server are no events: a head is not behind because it lies before them.
    end: () => notBack(store.end),
    newest: () => seenToo(store.newest),
  };
};
