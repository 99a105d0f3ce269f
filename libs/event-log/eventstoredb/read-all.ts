import { setTimeout as later } from 'node:timers/promises';
import {
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  START,
  UnknownError,
} from '@eventstore/db-client';
import { AnotherLog } from '../errors.ts';
import { matches } from '../matches.ts';
import type { ReadAllOptions } from '../port.ts';
import { type Position, partsOf } from '../position.ts';
import type { StoredEvent } from '../store.ts';
import type { Connection } from './connection.ts';
import { isOwnRecord, isSystem, type Ownership, ownEventOf, placeOf, positionFrom, recordOf } from './events.ts';
import type { Ends } from './head-never-back.ts';
import type { Pace } from './pace.ts';
import { createRoom, type Room } from './room.ts';
import { PAGE, type Taken, type Weight } from './whole-page.ts';

const [FEW, ROOM] = [4, 50];

type Asked = {
  readonly after: Position | undefined;
  readonly forwards: boolean;
  readonly maxCount: number;
  /** Default: as many records as asked for, whatever they weigh. */
  readonly room?: Room;
  /** Of whose records more is kept than where they stand; default: nobody's. */
  readonly ownership?: Ownership;
};

const light = (): Weight => 'light';

export const readPage = async (
  connection: Connection,
  { after, forwards, maxCount, room, ownership }: Asked,
): Promise<Taken<AllStreamRecordedEvent>> => {
  const start = after === undefined ? undefined : partsOf(after);
  const asked: Parameters<EventStoreDBClient['readAll']>[0] = {
    direction: forwards ? FORWARDS : BACKWARDS,
    fromPosition: start ? { commit: start.major, prepare: start.minor } : forwards ? START : END,
    maxCount,
    requiresLeader: true,
  };
  const keep = (resolved: AllStreamResolvedEvent): AllStreamRecordedEvent => {
    const record = recordOf(resolved);
    return ownership && isOwnRecord(record, ownership) ? record : placeOf(record);
  };
  const weightAt = room?.begin() ?? light;
  const weigh = ({ position }: AllStreamRecordedEvent): Weight => weightAt(position);
  return connection.pageUntil((client) => client.readAll(asked), { keep, weigh });
};

/** All that a server says to whoever stands within a record, and to many others: that something went wrong. */
const [WENT_WRONG, LOOKS, PAUSE_MS] = [2, 3, 50];

const hasNoWord = (error: unknown): boolean => error instanceof UnknownError && error.code === WENT_WRONG;

/**
 * Undefined where no record begins at that place. It is so where the page fails each time while the same server tells where
 * all ends: what fails for a moment says nothing, nor does one that answers nobody.
 */
export const readBehind = async (
  connection: Connection,
  asked: Asked,
): Promise<Taken<AllStreamRecordedEvent> | undefined> => {
  for (let look = 1; ; look++) {
    try {
      return await readPage(connection, asked);
    } catch (error) {
      if (asked.after === undefined || !hasNoWord(error)) throw error;
      await endOfAll(connection);
      if (look === LOOKS) return undefined;
    }
    await later(PAUSE_MS);
  }
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
  const room = createRoom();
  let after = options.after;
  for (let left = limit; left > 0; ) {
    // More than asked for: the event at `after` may come again, and the server's own lie in between.
    const maxCount = Math.min(filter ? PAGE : left + ROOM, room.most());
    const forwards = direction === 'forwards';
    const taken = await readBehind(connection, { after, forwards, maxCount, room, ownership });
    if (!taken) throw new AnotherLog(`stands at ${after}, where no record of the log begins`);
    const { items: page, isCut } = taken;
    const fresh = page.filter((record) => isOwnAndNew(record, after));
    const own = fresh.map((record) => ownEventOf(record, ownership)).filter((event) => event !== undefined);
    const events = own.filter((event) => matches(filter, event));
    if (events.length > 0) yield events.slice(0, left);
    left -= events.length;
    const last = page.at(-1);
    if (last === undefined || (page.length < maxCount && !isCut)) return;
    after = positionFrom(last.position);
  }
}

/** What is needed to follow the log. */
export type Behind = { readonly connection: Connection; readonly ownership: Ownership; readonly pace: Pace };

/** Records as they stand in the log, one behind the other. */
export type Page = {
  readonly events: readonly StoredEvent[];
  /** Of the last record; undefined where there is none. */
  readonly position: Position | undefined;
  /** Whose metadata were written or whose end: only the server knows what can be read of them. */
  readonly touched: readonly string[];
};

export const pageOf = (records: readonly AllStreamRecordedEvent[], ownership: Ownership): Page => {
  const last = records.at(-1);
  const own = records.filter((record) => !isSystem(record)).map((record) => ownEventOf(record, ownership));
  return {
    events: own.filter((event) => event !== undefined),
    position: last && positionFrom(last.position),
    touched: records.filter(isSystem).map(({ streamId }) => streamId.replace(/^\$\$/, '')),
  };
};

export type PageBehind = Page & {
  /** There may be more. */
  readonly isFull: boolean;
  /** It begins with the very record behind which it was asked for, as it does on every node that has it. */
  readonly isBehind: boolean;
};

/** One page behind a place, with what is passed over. */
export const pageBehind = async (
  { connection, ownership }: Behind,
  after: Position | undefined,
  most: number,
  room: Room,
): Promise<PageBehind> => {
  const count = Math.min(most, room.most());
  const asked = { after, forwards: true, maxCount: count + 1, room, ownership };
  const { items: page, isCut } = await readPage(connection, asked);
  const [first] = page;
  const isBehind = after === undefined || (first !== undefined && positionFrom(first.position) === after);
  const fresh = page.slice(isBehind && after !== undefined ? 1 : 0);
  return { ...pageOf(fresh, ownership), isFull: isCut || page.length > count, isBehind };
};

/** Where all ends, of which nothing else is asked. */
export const endOfAll = async (connection: Connection): Promise<Position | undefined> => {
  const { items } = await readPage(connection, { after: undefined, forwards: false, maxCount: 1 });
  const [last] = items;
  return last && positionFrom(last.position);
};

/** Where all ends, and the last event that is not the server's own, whoever wrote it: followers pass over both. */
export const endsOfAll = async (connection: Connection, ownership: Ownership): Promise<Ends> => {
  let place: Position | undefined;
  let after: Position | undefined;
  for (let count = FEW; ; count = ROOM) {
    const { items: page } = await readPage(connection, { after, forwards: false, maxCount: count });
    place ??= page[0] && positionFrom(page[0].position);
    const found = page.find((record) => isOwnAndNew(record, after));
    const last = page.at(-1);
    if (found) {
      const head = positionFrom(found.position);
      return { place, head, own: isOwnRecord(found, ownership) ? head : undefined };
    }
    if (last === undefined || page.length < count) return { place, head: undefined, own: undefined };
    after = positionFrom(last.position);
  }
};
