import { BACKWARDS, END, FORWARDS, START } from '@eventstore/db-client';
import type { ReadStreamOptions, StoredEvent } from '../store.ts';
import type { Connection } from './connection.ts';
import { eventOf, recordOf } from './events.ts';
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
  for (let left = limit; left > 0 && (next === undefined || next >= 0); left -= PAGE) {
    const maxCount = Math.min(left, PAGE);
    const fromRevision = next === undefined ? way.start : BigInt(next);
    const asked = { direction: way.direction, fromRevision, maxCount, requiresLeader: true };
    const page = await connection.page((client) => client.readStream(stream, asked));
    const events = page.map((resolved) => eventOf(recordOf(resolved)));
    yield* events;
    const last = events.at(-1);
    if (last === undefined || events.length < maxCount) return;
    next = last.revision + way.step;
  }
}
