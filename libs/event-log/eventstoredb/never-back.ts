import { LRUCache } from 'lru-cache';
import type { Position } from '../position.ts';
import { ConnectionLost, type EventStore, NOTHING, type ReadStreamOptions, type StoredEvent } from '../store.ts';

const KEPT_STREAMS = 20_000;

const fromThePast = (what: string): ConnectionLost =>
  new ConnectionLost(`EventStoreDB: ${what} is behind what was seen before: the node answers from its past`);

/**
 * What this process has once seen cannot shrink: a leader that wakes, and still thinks that it leads, shows streams as
 * they were and refuses right appends. An answer behind what was seen is no answer, and asked for again.
 */
export const neverBack = (store: EventStore): EventStore => {
  const revisions = new LRUCache<string, number>({ max: KEPT_STREAMS });
  let furthest: Position | undefined;
  const seenOf = (stream: string): number => revisions.get(stream) ?? NOTHING;
  const see = (stream: string, revision: number, position: Position): void => {
    if (seenOf(stream) < revision) revisions.set(stream, revision);
    if (furthest === undefined || position > furthest) furthest = position;
  };

  async function* forwards(stream: string, options: ReadStreamOptions): AsyncGenerator<StoredEvent> {
    const { from = 0, limit = Number.POSITIVE_INFINITY } = options;
    const seen = seenOf(stream);
    let [given, last] = [0, from - 1];
    for await (const event of store.readStream(stream, options)) {
      see(stream, event.revision, event.position);
      [given, last] = [given + 1, event.revision];
      yield event;
    }
    if (given < limit && last < seen) throw fromThePast(`stream ${stream}`);
  }

  async function* fromTheEnd(stream: string, options: ReadStreamOptions): AsyncGenerator<StoredEvent> {
    const seen = seenOf(stream);
    let newest = NOTHING;
    for await (const event of store.readStream(stream, options)) {
      newest = Math.max(newest, event.revision);
      if (newest < seen) throw fromThePast(`stream ${stream}`);
      see(stream, event.revision, event.position);
      yield event;
    }
    if (newest < seen) throw fromThePast(`stream ${stream}`);
  }

  return {
    ...store,
    append: async (stream, after, events) => {
      const outcome = await store.append(stream, after, events);
      if (outcome.kind === 'appended') see(stream, outcome.revision, outcome.position);
      else if ((outcome.actual === 'no_stream' ? NOTHING : outcome.actual) < seenOf(stream))
        throw fromThePast(`stream ${stream}`);
      return outcome;
    },
    readStream: (stream, options) => {
      if (options.direction === 'forwards') return forwards(stream, options);
      return options.from === undefined ? fromTheEnd(stream, options) : store.readStream(stream, options);
    },
    head: async () => {
      const seen = furthest;
      const head = await store.head();
      if (seen !== undefined && (head === undefined || head < seen)) throw fromThePast('the head');
      return head;
    },
  };
};
