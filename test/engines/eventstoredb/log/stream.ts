import type { Recorded } from './event.ts';
import { isSoftDeleted, type StreamMetadata } from './metadata.ts';

export type Stream = {
  readonly name: string;
  /** The index is the revision: a deletion hides events, it takes none away. */
  readonly events: Recorded[];
  metadata: StreamMetadata;
  tombstone: Recorded | undefined;
};

export const lastRevision = (stream: Stream | undefined) => (stream ? stream.events.length - 1 : -1);

const firstYoungEnough = (stream: Stream, from: number, oldest: number) => {
  let first = from;
  for (let event = stream.events[first]; event && event.created < oldest; event = stream.events[first]) first++;
  return first;
};

/** The first revision that a read shows. Past the last one, the stream looks empty without being missing. */
export const firstVisible = (stream: Stream, now = Date.now()) => {
  const { maxCount, maxAgeSeconds, truncateBefore } = stream.metadata;
  const counted = maxCount === undefined ? 0 : stream.events.length - maxCount;
  const first = Math.max(0, truncateBefore, counted);
  return maxAgeSeconds === undefined ? first : firstYoungEnough(stream, first, now - maxAgeSeconds * 1000);
};

/** The stream if a read finds it: a soft-deleted one reads as missing, and so does one that has only metadata. */
export const readable = (stream: Stream | undefined) =>
  stream && stream.events.length > 0 && !isSoftDeleted(stream.metadata) ? stream : undefined;
