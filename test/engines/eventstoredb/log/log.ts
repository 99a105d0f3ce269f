import {
  type Commit,
  EMPTY_COMMIT_SIZE,
  isMetastream,
  METADATA,
  originalOf,
  type Proposed,
  type Recorded,
  sizeOf,
  TOMBSTONE,
  TOMBSTONE_REVISION,
} from './event.ts';
import { NO_METADATA, readMetadata } from './metadata.ts';
import { createRecentIds, type RecentIds } from './recentIds.ts';
import { isScavengePoint, scavengedBy } from './scavenge.ts';
import { lastRevision, type Stream } from './stream.ts';

export type CommitListener = (recorded: readonly Recorded[]) => void;

export type Log = {
  /** Every event in the order of positions, deleted ones too until a scavenge takes them. */
  readonly all: readonly Recorded[];
  readonly recentIds: RecentIds;
  stream(name: string): Stream | undefined;
  isTombstoned(name: string): boolean;
  /** Where a record begins, or anywhere from the end of the log on. */
  isPosition(position: number): boolean;
  write(stream: string, events: readonly Proposed[]): { readonly position: number; readonly last: number };
  tombstone(stream: string, id: string): { readonly position: number };
  onCommit(listener: CommitListener): () => void;
  /** Takes in what a journal kept, or another node wrote. Ids are not remembered: what ANY knows ends with the process. */
  restore(commit: Commit): void;
};

/** The index of the first event at or past a position. */
export const indexAt = (all: readonly Recorded[], position: number) => {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((all[middle]?.position ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Of the first event at or past a position: an index is another event's after a scavenge. */
export const firstFrom = (all: readonly Recorded[], position: number) => all[indexAt(all, position)];

/** `persist` returns once the commit is safe: only then it exists for readers and callers. */
export const createLog = (persist: (commit: Commit) => void): Log => {
  const all: Recorded[] = [];
  /** Of appends without events, and of what was scavenged: whoever stands there goes on behind it. */
  const emptyPlaces = new Set<number>();
  const streams = new Map<string, Stream>();
  const recentIds = createRecentIds();
  const listeners = new Set<CommitListener>();
  let end = 0;

  const streamFor = (name: string): Stream => {
    const found = streams.get(name);
    if (found) return found;
    const created: Stream = { name, events: [], metadata: NO_METADATA, tombstone: undefined };
    streams.set(name, created);
    return created;
  };

  /** By its own record, so that it is the same again when a journal is read, and on every node. */
  const scavenge = (point: Recorded) => {
    const taken = scavengedBy(point, all, streams);
    for (const { position } of taken) emptyPlaces.add(position);
    const left = all.filter((event) => !taken.has(event));
    all.length = 0;
    for (const event of left) all.push(event);
  };

  const place = (stream: Stream, event: Recorded) => {
    all.push(event);
    if (event.revision === TOMBSTONE_REVISION) stream.tombstone = event;
    else stream.events.push(event);
    if (event.type === METADATA && isMetastream(event.stream))
      streamFor(originalOf(event.stream)).metadata = readMetadata(event.data);
    if (isScavengePoint(event)) scavenge(event);
  };

  const apply = ({ stream: name, revision, position, created, events }: Commit) => {
    end = position;
    if (events.length === 0) {
      emptyPlaces.add(position);
      end += EMPTY_COMMIT_SIZE;
      return [];
    }
    const stream = streamFor(name);
    return events.map((event, i) => {
      const { id, type, json, data, metadata } = event;
      const recorded = { id, type, json, data, metadata, stream: name, revision: revision + i, position: end, created };
      end += sizeOf(name, event);
      place(stream, recorded);
      return recorded;
    });
  };

  const tell = (recorded: readonly Recorded[]) => {
    if (recorded.length > 0) for (const listener of [...listeners]) listener(recorded);
  };

  const commit = (stream: string, revision: number, events: readonly Proposed[]) => {
    const next = { stream, revision, position: end, created: Date.now(), events };
    persist(next);
    const recorded = apply(next);
    for (const { id, revision: at } of recorded) recentIds.remember(id, stream, at);
    tell(recorded);
    return { position: recorded.at(-1)?.position ?? next.position };
  };

  return {
    all,
    recentIds,
    stream: (name) => streams.get(name),
    isTombstoned: (name) => {
      const owner = isMetastream(name) ? originalOf(name) : name;
      return [name, owner].some((each) => streams.get(each)?.tombstone !== undefined);
    },
    isPosition: (position) =>
      position >= end || emptyPlaces.has(position) || all[indexAt(all, position)]?.position === position,
    write: (name, events) => {
      const revision = lastRevision(streams.get(name)) + 1;
      return { ...commit(name, revision, events), last: revision + events.length - 1 };
    },
    tombstone: (name, id) => {
      const event = { id, type: TOMBSTONE, json: false, data: new Uint8Array(), metadata: new Uint8Array() };
      return commit(name, TOMBSTONE_REVISION, [event]);
    },
    onCommit: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    restore: (kept) => {
      tell(apply(kept));
    },
  };
};
