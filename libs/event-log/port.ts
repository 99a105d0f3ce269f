import type { JsonObject } from './json.ts';
import type { Position } from './position.ts';

/** A revision that the stream must stand at, or a looser demand on it. Revisions count from 0. */
export type ExpectedRevision = number | 'no_stream' | 'stream_exists' | 'any';

/** Who did it, when, and because of what. Covered by the hash chain. */
export type EventMetadata = {
  readonly occurredAt: string;
  readonly actor?: string;
  readonly correlationId?: string;
  readonly causationId?: string;
};

export type NewEvent = {
  /**
   * A UUID of this one append, made once and kept through its repeats: a store knows a repeat by it, and looks at nothing
   * else. Two appends must not share one, however alike they are: the second would be answered as if it were written.
   */
  readonly id: string;
  readonly type: string;
  /** Default 1. */
  readonly schemaVersion?: number;
  /** JSON only; amounts are strings. */
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
};

export type RecordedEvent = Required<Omit<NewEvent, 'metadata'>> & {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly recordedAt: Date;
  readonly metadata: EventMetadata & { readonly prevHash: string | null; readonly hash: string };
  /** How it is not as it was written; looked at where that was asked for. */
  readonly problem?: string;
};

/** What names an event, without what it says. */
export type EventPlace = Pick<RecordedEvent, 'stream' | 'revision' | 'id' | 'type' | 'position'>;

/** What a log can be known by again. */
export type EventMark = Omit<EventPlace, 'type'>;

export type Appended = { readonly revision: number; readonly position: Position };

type Shape = {
  /**
   * Every event in the shape in which it was written, also in one that only a newer release can read: for whoever
   * counts, shows or proves history. Whoever folds it takes the newest shape, and is refused what he cannot know.
   */
  readonly asStored?: boolean;
};

export type ReadOptions = Shape & {
  /** First revision to give; default: the first, or backwards the last one. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
};

/** Prefixes of stream names or whole event types; what matches neither is passed over. */
export type EventFilter = { readonly streamPrefixes: readonly string[] } | { readonly types: readonly string[] };

type Proving = {
  /**
   * What the streams begin with that are proven: each of their events is held against its own hash, and one that is not as
   * it was written comes as it is stored, with its problem. Whoever follows a stream holds the links himself. Events of all
   * others come as they are stored, whatever they are: nobody folds them who says what he proves.
   */
  readonly prove?: readonly string[] | undefined;
};

export type ReadAllOptions = Shape &
  Proving & {
    /** Exclusive: the last position already seen. Default: the beginning (backwards: the end). */
    readonly after?: Position;
    readonly direction?: 'forwards' | 'backwards';
    readonly limit?: number;
    readonly filter?: EventFilter;
  };

export type ReadByStreamOptions = {
  /**
   * Nothing that was written behind it, but for what stands at a place that the log has not come to: that comes with its
   * problem. Default: the head of this moment.
   */
  readonly upTo?: Position;
  /** This stream alone. */
  readonly only?: string;
};

/** What was found of an event, as plain data: another thread can be given it. */
export type ProvenText = readonly [
  stream: string,
  revision: number,
  position: Position,
  id: string,
  type: string,
  data: string,
  metadata: string,
  recordedAt: number,
  problem: string | undefined,
];

/** An event as it is found by whoever proves the log. */
export type ProvenEvent = EventPlace & {
  /** Undefined where it cannot be read. */
  readonly hash: string | undefined;
  /** How it is not as it was written, or does not follow the event before it in its stream. */
  readonly problem: string | undefined;
  readonly recordedAt: Date;
  /** In the newest shape; throws for what cannot be read, or by this release. */
  readonly event: () => RecordedEvent;
  readonly asText: () => ProvenText;
};

/** Events in the log's order. `position` may lie behind the last event: what a filter passed over counts as seen. */
export type Batch = { readonly events: readonly RecordedEvent[]; readonly position: Position };

export type SubscribeOptions = Proving & {
  /** Exclusive: the last position already handled. Default: the beginning. */
  readonly after?: Position;
  /**
   * The last event already handled, where that is known. It, and then the last one given, is looked for again whenever the
   * connection died: a log that was put back meanwhile ends the subscription with `AnotherLog`.
   */
  readonly last?: EventMark;
  /**
   * What lies behind that event may be of either of two logs until another one is given: when the connection died before,
   * the subscription ends with `PastTheEnd`, since only from there nothing is passed over.
   */
  readonly onlyBehindLast?: boolean;
  /** Events up to there, which were taken before in either of the two, are no others. */
  readonly unsureUpTo?: Position;
  readonly filter?: EventFilter;
  /** Most events of one batch; default 500. */
  readonly batchSize?: number;
  /**
   * Batches come no more often while there is little in them, so that they are larger; default 10 ms, 0 for each event as
   * soon as it can be read.
   */
  readonly everyMs?: number;
  /** One batch at a time, in order. A throw ends the subscription: `done` rejects with it. */
  readonly onBatch: (batch: Batch) => Promise<void>;
};

export type Subscription = {
  /** Settles when the subscription has ended: resolves after `stop`, rejects when the handler threw. */
  readonly done: Promise<void>;
  /** Waits for the batch under way. */
  readonly stop: () => Promise<void>;
};

/**
 * The history of everything, in streams and in one order over all of them.
 *
 * Appending is atomic and idempotent: the same ids at the same place give the first answer again. A lost answer is
 * settled inside (the same ids are appended again) as long as the log comes back in time, else `OutcomeUnknown` says
 * that the caller has to repeat the very same append.
 */
export type EventLog = {
  readonly append: (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => Promise<Appended>;
  /** A missing stream is an empty one. */
  readonly read: (stream: string, options?: ReadOptions) => AsyncIterable<RecordedEvent>;
  /** Of the last event of a stream; undefined where there is none. */
  readonly lastRevision: (stream: string) => Promise<number | undefined>;
  readonly readAll: (options?: ReadAllOptions) => AsyncIterable<RecordedEvent>;
  /** The same by the page, for whoever reads much: a turn for each event costs as much as what most do with it. */
  readonly readPages: (options?: ReadAllOptions) => AsyncIterable<readonly RecordedEvent[]>;
  /** Every event exactly once in order per subscription, through dropped connections and server restarts. */
  readonly subscribe: (options: SubscribeOptions) => Subscription;
  /**
   * All of history, stream by stream in the order of their names' bytes, each from its first event to its last, in
   * pages; every event is proven, and one that is not as it was written is given all the same.
   */
  readonly readByStream: (options?: ReadByStreamOptions) => AsyncIterable<readonly ProvenEvent[]>;
  /** The position of the last readable event; undefined while the log is empty. */
  readonly head: () => Promise<Position | undefined>;
  /** Whether this event stands at its place in the order over all streams, whatever became of its stream since. */
  readonly holds: (mark: EventMark) => Promise<boolean>;
  /**
   * Whether this is another log than the one that gave the event, or one that was put back. Not where somebody can take
   * single events out: there one that is missing is its stream's damage.
   */
  readonly misses: (mark: EventMark) => Promise<boolean>;
  /**
   * It was found not to hold this, so what is seen of it from here on is of another log. As soon as it does hold it again
   * nothing that was seen until then counts.
   */
  readonly lacked: (mark: EventMark) => void;
  /** Where everything ends, whoever wrote it: a subscription may stand behind `head`, and behind this it never does. */
  readonly end: () => Promise<Position | undefined>;
  /** Of the last event that was written before the call; readers in order may have to wait for it. Not behind `head`. */
  readonly newest: () => Promise<Position | undefined>;
  readonly close: () => Promise<void>;
};
