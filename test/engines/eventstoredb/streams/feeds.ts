import type { Filter } from '../filters.ts';
import type { Recorded } from '../log/event.ts';
import { firstFrom, type Log } from '../log/log.ts';
import { firstVisible, lastRevision, readable } from '../log/stream.ts';
import { streams } from '../wire/definitions.ts';
import { eventResponse } from '../wire/recordedEvent.ts';
import { type Refusal, streamDeleted } from '../wire/refusals.ts';
import { type From, resolveFrom } from './starts.ts';

/** What a subscription has to say next; it holds a place in the log, not a copy of what is to come. */
export type Feed = {
  /** Undefined when there is nothing more for now. */
  next(): streams.ReadResp | Refusal | undefined;
  /** Once everything that was there has been handed out, also when more has come since. */
  isLive(): boolean;
  wants(event: Recorded): boolean;
};

const caughtUp = () => new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());

const checkpointAt = (position: number) => {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(position)).setPreparePosition(String(position));
  return new streams.ReadResp().setCheckpoint(checkpoint);
};

/**
 * The revision given is passed over, and so is what comes up to it later. A missing stream is waited for
 * without "caught up"; of a deleted or truncated one, what a read would not show is passed over.
 */
export const streamFeed = (log: Log, name: string, from: From): Feed => {
  const there = readable(log.stream(name));
  const end = lastRevision(log.stream(name)) + 1;
  const passedOver = resolveFrom(from, -1, end - 1);
  let cursor = Math.max(passedOver + 1, there ? firstVisible(there) : end);
  let live = !there;
  let toldTombstone = false;

  const atTheEnd = () => {
    const tombstone = log.stream(name)?.tombstone;
    if (toldTombstone) return streamDeleted(name);
    if (!tombstone) return undefined;
    toldTombstone = true;
    return eventResponse(tombstone);
  };
  const goLive = () => {
    live = true;
    return caughtUp();
  };

  return {
    next: () => {
      const event = log.stream(name)?.events[cursor];
      if (event) {
        cursor++;
        return eventResponse(event);
      }
      return live ? atTheEnd() : goLive();
    },
    isLive: () => live,
    wants: (event) => event.stream === name,
  };
};

/** With a filter, it tells every so many events looked at how far it came, be they wanted or not. */
export const allFeed = (log: Log, from: From, filter: Filter | undefined): Feed => {
  const after = resolveFrom(from, -1, log.all.at(-1)?.position ?? -1);
  let place = after + 1;
  let looked = 0;
  let live = false;
  let checkpoint: number | undefined;

  const look = (event: Recorded) => {
    place = event.position + 1;
    if (filter && ++looked % filter.checkpointEvery === 0) checkpoint = event.position;
    return event.position > after && (!filter || filter.matches(event));
  };
  const takeCheckpoint = () => {
    const response = checkpoint === undefined ? undefined : checkpointAt(checkpoint);
    checkpoint = undefined;
    return response;
  };
  const atTheEnd = () => {
    if (live) return undefined;
    live = true;
    return caughtUp();
  };

  return {
    next: () => {
      for (let event = firstFrom(log.all, place); event && checkpoint === undefined; event = firstFrom(log.all, place))
        if (look(event)) return eventResponse(event);
      return takeCheckpoint() ?? atTheEnd();
    },
    isLive: () => live,
    wants: (event) => !filter || filter.matches(event),
  };
};
