import { LRUCache } from 'lru-cache';
import type { EventLog, RecordedEvent } from '#event-log';
import { type Comer, createGate } from '#platform/gate';

/** Nearly every history is over long before; one of a thousand payments has thousands of events. */
export const LONG = 64;

const KNOWN_AS_LONG = 10_000;

/** Of the one thread that all calls share, a long history takes a tenth of a second. */
const [MOST, MOST_OF_ONE] = [2, 1];

type Log = Pick<EventLog, 'append' | 'read'>;

/** The log as the calls of one affiliate have it. */
export type LogOf = (affiliateId: number) => Log;

/**
 * Calls of one affiliate read long histories one at a time. Which are long is known from the first read of each; whoever
 * waits afterwards has read nothing yet.
 */
export const shareLog = (log: Log): LogOf => {
  const gate = createGate({ most: MOST, mostOfOne: MOST_OF_ONE });
  const long = new LRUCache<string, true>({ max: KNOWN_AS_LONG });

  /** Whoever has the turn gives it back. */
  const turn = (comer: Comer): Promise<() => void> =>
    new Promise((resolve, reject) => {
      gate(comer, () => new Promise<void>((leave) => resolve(leave))).catch(reject);
    });

  /** Where it is long it comes to its first revision that was not given. */
  async function* whileShort(stream: string): AsyncGenerator<RecordedEvent, number | undefined> {
    if (long.has(stream)) return 0;
    for await (const event of log.read(stream)) {
      if (event.revision === LONG) {
        long.set(stream, true);
        return LONG;
      }
      yield event;
    }
    return undefined;
  }

  /** From its beginning: it is proven as a whole, and held against what was seen of it. */
  async function* inTurn(stream: string, party: string, from: number): AsyncGenerator<RecordedEvent> {
    const leave = await turn({ party, thing: stream });
    try {
      for await (const event of log.read(stream)) if (event.revision >= from) yield event;
    } finally {
      leave();
    }
  }

  async function* whole(stream: string, party: string): AsyncGenerator<RecordedEvent> {
    const from = yield* whileShort(stream);
    if (from !== undefined) yield* inTurn(stream, party, from);
  }

  return (affiliateId) => ({
    append: (...asked) => log.append(...asked),
    read: (stream, options) => (options ? log.read(stream, options) : whole(stream, `affiliate ${affiliateId}`)),
  });
};
