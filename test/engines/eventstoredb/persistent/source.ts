import { matcher } from '../filters.ts';
import type { Recorded } from '../log/event.ts';
import { firstFrom, type Log } from '../log/log.ts';
import { firstVisible, lastRevision, readable } from '../log/stream.ts';
import { resolveFrom } from '../streams/starts.ts';
import type { GroupConfig } from './settings.ts';

/** Where a group reads from. A place is a revision or, over $all, a position; unlike a subscription's, it is included. */
export type Source = {
  next(): Recorded | undefined;
  placeOf(event: Recorded): number;
  /** The place of the next event to come out, for as long as nothing earlier is left to settle. */
  nextPlace(): number;
  isInteresting(event: Recorded): boolean;
};

const streamSource = (log: Log, { stream: name, from }: GroupConfig, resumeAt: number | undefined): Source => {
  let cursor = resumeAt ?? resolveFrom(from, 0, lastRevision(log.stream(name)) + 1);
  return {
    next: () => {
      const stream = readable(log.stream(name));
      if (!stream) return undefined;
      cursor = Math.max(cursor, Math.min(firstVisible(stream), stream.events.length));
      const event = stream.events[cursor];
      if (event) cursor++;
      return event;
    },
    placeOf: ({ revision }) => revision,
    nextPlace: () => cursor,
    isInteresting: ({ stream }) => stream === name,
  };
};

const endOf = (all: readonly Recorded[]) => (all.at(-1)?.position ?? -1) + 1;

const allSource = (log: Log, { from, filter }: GroupConfig, resumeAt: number | undefined): Source => {
  const matches = filter ? matcher(filter) : () => true;
  let place = resumeAt ?? resolveFrom(from, 0, endOf(log.all));
  return {
    next: () => {
      for (let event = firstFrom(log.all, place); event; event = firstFrom(log.all, place)) {
        place = event.position + 1;
        if (matches(event)) return event;
      }
      return undefined;
    },
    placeOf: ({ position }) => position,
    nextPlace: () => firstFrom(log.all, place)?.position ?? endOf(log.all),
    isInteresting: matches,
  };
};

export const ALL = '$all';

export const createSource = (log: Log, config: GroupConfig, resumeAt: number | undefined) =>
  config.stream === ALL ? allSource(log, config, resumeAt) : streamSource(log, config, resumeAt);
