import { BACKWARDS, END, FORWARDS, START } from '@eventstore/db-client';
import { FIRST_PAGE } from '../first-page.ts';
import type { ReadStreamOptions, StoredEvent } from '../store.ts';
import type { Connection } from './connection.ts';
import { eventOf, recordOf } from './events.ts';
import type { Tail } from './tail.ts';
import { PAGE } from './whole-page.ts';

const WAYS = {
  forwards: { direction: FORWARDS, start: START, step: 1 },
  backwards: { direction: BACKWARDS, start: END, step: -1 },
} as const;

export async function* readStream(
  connection: Connection,
  stream: string,
  { from, direction, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions,
): AsyncGenerator<StoredEvent> {
  const way = WAYS[direction];
  let next = from;
  for (let [left, most] = [limit, FIRST_PAGE]; left > 0 && (next === undefined || next >= 0); most = PAGE) {
    const maxCount = Math.min(left, most);
    const fromRevision = next === undefined ? way.start : BigInt(next);
    const asked = { direction: way.direction, fromRevision, maxCount, requiresLeader: true };
    const page = await connection.page((client) => client.readStream(stream, asked));
    const events = page.map((resolved) => eventOf(recordOf(resolved)));
    yield* events;
    const last = events.at(-1);
    if (last === undefined || events.length < maxCount) return;
    left -= maxCount;
    next = last.revision + way.step;
  }
}

const isWhole = ({ from = 0, direction, limit }: ReadStreamOptions): boolean =>
  from === 0 && direction === 'forwards' && limit === undefined;

const LAST = { from: undefined, direction: 'backwards', limit: 1 } as const;

/** Of the server alone what the tail does not know, which learns it. */
export const createReadStream = (connection: Connection, tail: Tail) => {
  async function* whole(stream: string, options: ReadStreamOptions): AsyncGenerator<StoredEvent> {
    const kept = await tail.history(stream);
    if (kept) return yield* kept;
    const learn = await tail.learning();
    const events: StoredEvent[] = [];
    for await (const event of readStream(connection, stream, options)) {
      events.push(event);
      yield event;
    }
    learn.history(stream, events);
  }

  return {
    readStream: (stream: string, options: ReadStreamOptions): AsyncIterable<StoredEvent> =>
      isWhole(options) ? whole(stream, options) : readStream(connection, stream, options),
    lastRevision: async (stream: string): Promise<number | undefined> => {
      const kept = await tail.lastRevision(stream);
      if (kept !== undefined) return kept;
      const learn = await tail.learning();
      for await (const { revision } of readStream(connection, stream, LAST)) {
        learn.end(stream, revision);
        return revision;
      }
      return undefined;
    },
  };
};
