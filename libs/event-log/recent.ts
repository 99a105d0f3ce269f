import { matches } from './matches.ts';
import { isBefore, type Position } from './position.ts';
import type { FollowOptions, StoredBatch, StoredEvent } from './store.ts';

/** What is kept at hand, and up to twice as much. */
const KEPT = 2_000;

/** The last events of the log, without a gap. */
export type Recent = {
  /** Everything behind this place is at hand. */
  readonly from: () => Position | undefined;
  readonly to: () => Position | undefined;
  /** Of the last event at hand. */
  readonly last: () => Position | undefined;
  readonly keep: (batch: StoredBatch) => void;
  /** What lies behind a place; undefined while nothing does. */
  readonly behind: (
    place: Position | undefined,
    options: Pick<FollowOptions, 'batchSize' | 'filter'>,
  ) => StoredBatch | undefined;
};

export const createRecent = (start: Position | undefined): Recent => {
  let events: StoredEvent[] = [];
  let [from, to] = [start, start];

  /** Of the first event behind a place; most who ask stand near the end. */
  const indexBehind = (place: Position | undefined): number => {
    let index = events.length;
    for (let event = events[index - 1]; event && isBefore(place, event.position); event = events[index - 1]) index--;
    return index;
  };

  return {
    from: () => from,
    to: () => to,
    last: () => events.at(-1)?.position,
    keep: (batch) => {
      events.push(...batch.events);
      to = batch.position;
      if (events.length <= 2 * KEPT) return;
      from = events[events.length - KEPT - 1]?.position;
      events = events.slice(-KEPT);
    },
    behind: (place, { batchSize, filter }) => {
      if (!isBefore(place, to)) return undefined;
      const first = indexBehind(place);
      const some = events.slice(first, first + batchSize);
      const position = first + some.length < events.length ? some.at(-1)?.position : to;
      return position === undefined ? undefined : { events: some.filter((event) => matches(filter, event)), position };
    },
  };
};
