import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  START,
} from '@eventstore/db-client';
import { matches } from '../matches.ts';
import type { ReadAllOptions } from '../port.ts';
import { type Position, partsOf } from '../position.ts';
import type { StoredEvent } from '../store.ts';
import type { Connection } from './connection.ts';
import { isSystem, type Ownership, ownEventOf, positionFrom, recordOf } from './events.ts';
import { PAGE } from './whole-page.ts';

const ROOM = 50;

const readPage = async (
  connection: Connection,
  after: Position | undefined,
  forwards: boolean,
  maxCount: number,
): Promise<AllStreamRecordedEvent[]> => {
  const start = after === undefined ? undefined : partsOf(after);
  const asked: Parameters<EventStoreDBClient['readAll']>[0] = {
    direction: forwards ? FORWARDS : BACKWARDS,
    fromPosition: start ? { commit: start.major, prepare: start.minor } : forwards ? START : END,
    maxCount,
    requiresLeader: true,
  };
  return (await connection.page((client) => client.readAll(asked))).map(recordOf);
};

/** Forwards the server includes the position that it starts from. */
const isOwnAndNew = (record: AllStreamRecordedEvent, after: Position | undefined): boolean =>
  !isSystem(record) && positionFrom(record.position) !== after;

/** The client's `readAll` takes no filter: it is applied here. */
export async function* readAll(
  connection: Connection,
  options: ReadAllOptions,
  ownership: Ownership,
): AsyncGenerator<readonly StoredEvent[]> {
  const { filter, limit = Number.POSITIVE_INFINITY, direction = 'forwards' } = options;
  let after = options.after;
  for (let left = limit; left > 0; ) {
    // More than asked for: the event at `after` may come again, and the server's own lie in between.
    const maxCount = filter ? PAGE : Math.min(left + ROOM, PAGE);
    const page = await readPage(connection, after, direction === 'forwards', maxCount);
    const fresh = page.filter((record) => isOwnAndNew(record, after));
    const own = fresh.map((record) => ownEventOf(record, ownership)).filter((event) => event !== undefined);
    const events = own.filter((event) => matches(filter, event));
    if (events.length > 0) yield events.slice(0, left);
    left -= events.length;
    const last = page.at(-1);
    if (last === undefined || page.length < maxCount) return;
    after = positionFrom(last.position);
  }
}

/** Of the last event that is not the server's own, whoever wrote it: a follower passes over what is somebody else's. */
export const headOfAll = async (connection: Connection): Promise<Position | undefined> => {
  for (let after: Position | undefined; ; ) {
    const page = await readPage(connection, after, false, ROOM);
    const found = page.find((record) => isOwnAndNew(record, after));
    if (found) return positionFrom(found.position);
    const last = page.at(-1);
    if (last === undefined || page.length < ROOM) return undefined;
    after = positionFrom(last.position);
  }
};
