import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  START,
} from '@eventstore/db-client';
import type { ReadAllOptions } from '../port.ts';
import { type Position, partsOf } from '../position.ts';
import type { StoredEvent } from '../store.ts';
import { eventOf, isSystem, positionFrom, recordOf } from './events.ts';
import { matches } from './filters.ts';
import { PAGE, wholePage } from './whole-page.ts';

const ROOM = 50;

const readPage = async (
  client: EventStoreDBClient,
  after: Position | undefined,
  forwards: boolean,
  maxCount: number,
): Promise<AllStreamRecordedEvent[]> => {
  const start = after === undefined ? undefined : partsOf(after);
  const read = client.readAll({
    direction: forwards ? FORWARDS : BACKWARDS,
    fromPosition: start ? { commit: start.major, prepare: start.minor } : forwards ? START : END,
    maxCount,
  });
  return (await wholePage(read)).map(recordOf);
};

/** Forwards the server includes the position that it starts from. */
const isOwnAndNew = (record: AllStreamRecordedEvent, after: Position | undefined): boolean =>
  !isSystem(record) && positionFrom(record.position) !== after;

/** The client's `readAll` takes no filter: it is applied here. */
export async function* readAll(client: EventStoreDBClient, options: ReadAllOptions): AsyncGenerator<StoredEvent> {
  const { filter, limit = Number.POSITIVE_INFINITY, direction = 'forwards' } = options;
  let after = options.after;
  for (let left = limit; left > 0; ) {
    // More than asked for: the event at `after` may come again, and the server's own lie in between.
    const maxCount = filter ? PAGE : Math.min(left + ROOM, PAGE);
    const page = await readPage(client, after, direction === 'forwards', maxCount);
    const fresh = page.filter((record) => isOwnAndNew(record, after));
    const events = fresh.map(eventOf).filter((event) => matches(filter, event));
    yield* events.slice(0, left);
    left -= events.length;
    const last = page.at(-1);
    if (last === undefined || page.length < maxCount) return;
    after = positionFrom(last.position);
  }
}
