import type { StoredMetadata } from './hash-chain.ts';
import type { JsonObject } from './json.ts';
import type { EventFilter, EventMark, ReadAllOptions } from './port.ts';
import type { Position } from './position.ts';

export type StoredEvent = {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly id: string;
  readonly type: string;
  readonly recordedAt: Date;
  readonly data: JsonObject;
  readonly metadata: StoredMetadata;
  /** The data as the store has it, which was hashed; undefined: the store keeps JSON, which is canonical again. */
  readonly text?: string;
  /** Why it cannot be read at all: then `data` and `metadata` say nothing. */
  readonly problem?: string;
};

/** Of an event whose metadata cannot be read: what is chained to it fits nothing. */
export const UNREADABLE: StoredMetadata = { schema_version: 1, occurred_at: '', prev_hash: '', hash: '' };

/** `data` is canonical JSON text. */
export type EventToStore = {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: StoredMetadata;
};

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      readonly revision: number;
      readonly position: Position;
      /** Of the event that stands at `revision`: a repeat may have brought another. Undefined where the store cannot tell. */
      readonly hash: string | undefined;
    }
  | { readonly kind: 'conflict'; readonly actual: number | 'no_stream' };

export type StoredBatch = { readonly events: readonly StoredEvent[]; readonly position: Position };

export type FollowOptions = {
  readonly after: Position | undefined;
  readonly filter: EventFilter | undefined;
  readonly batchSize: number;
  /** As whoever subscribes says. */
  readonly everyMs?: number | undefined;
  readonly signal: AbortSignal;
};

export type ReadStreamOptions = {
  readonly from: number | undefined;
  readonly direction: 'forwards' | 'backwards';
  readonly limit: number | undefined;
};

/** An event as text, whatever that holds: nothing of it is taken for granted. */
export type EventText = Pick<StoredEvent, 'stream' | 'revision' | 'position' | 'id' | 'type' | 'problem'> & {
  readonly recordedAt: () => Date;
  readonly data: string;
  readonly metadata: string;
};

export type ReadByStreamOptions = {
  /** Behind this event; undefined: from the first. */
  readonly after: { readonly stream: string; readonly revision: number } | undefined;
  readonly upTo: Position;
  readonly only: string | undefined;
};

/** The revision of a stream without events. */
export const NOTHING = -1;

/**
 * What a store has to do; everything else (checks, hash chain, loose expectations, repeats after a lost answer,
 * upcasting, resuming) is done once, above it. Every function throws `ConnectionLost` when it cannot know.
 */
export type EventStore = {
  /**
   * Writes behind revision `after` (NOTHING: starts the stream), all or nothing. Where the very ids already stand
   * there, it answers what the first append was answered.
   */
  readonly append: (stream: string, after: number, events: readonly EventToStore[]) => Promise<AppendOutcome>;
  readonly readStream: (stream: string, options: ReadStreamOptions) => AsyncIterable<StoredEvent>;
  readonly lastRevision: (stream: string) => Promise<number | undefined>;
  /** In pages, none of them empty. */
  readonly readAll: (options: ReadAllOptions) => AsyncIterable<readonly StoredEvent[]>;
  /** What is there and then what comes, without end; ends when `signal` aborts. */
  readonly follow: (options: FollowOptions) => AsyncIterable<StoredBatch>;
  /** In the order of the bytes of stream names, then of revisions. */
  readonly readByStream: (options: ReadByStreamOptions) => AsyncIterable<readonly EventText[]>;
  readonly head: () => Promise<Position | undefined>;
  readonly holds: (mark: EventMark) => Promise<boolean>;
  readonly misses: (mark: EventMark) => Promise<boolean>;
  /** The head, or where the server's own records end behind it. */
  readonly end: () => Promise<Position | undefined>;
  /** Where every event stands at once where it can be read, the head. */
  readonly newest: () => Promise<Position | undefined>;
  /** Whatever was remembered of it: that may be of another log. */
  readonly forget: () => void;
  /** Where the store finds out by itself that another log answers, or this one as it was before what it gave. */
  readonly whenExchanged?: (listener: () => void) => void;
  readonly close: () => Promise<void>;
};

/** The call died with its connection: an append may or may not have been written. */
export class ConnectionLost extends Error {
  override readonly name: string = 'ConnectionLost';
}

/**
 * It has stayed behind what was seen of it, and holds what was found in it before, as far as all had been seen by then: what
 * was seen since may be of another log.
 */
export class SeenElsewhere extends ConnectionLost {
  override readonly name = 'SeenElsewhere';
  readonly mark: EventMark;

  constructor(message: string, mark: EventMark) {
    super(message);
    this.mark = mark;
  }
}

/** The server was not even asked: what was to be written is not written. */
export class NotAsked extends ConnectionLost {
  override readonly name = 'NotAsked';
}

/** The server answers, and takes no writes now, as a standby does or one whose disk is full. Nothing was written. */
export class WritesRefused extends ConnectionLost {
  override readonly name = 'WritesRefused';
}
