import type { JsonObject } from './json.ts';
import type { EventLog } from './port.ts';

/**
 * What a log says of itself lies beside history: it is in no chain and no seal, and whoever reads more than this stream
 * passes it over. Releases that do not know it take it for somebody else's, since it lacks what every event of ours has.
 */
export const LABEL_STREAM = 'cointill-installation';

/** As it is found: others may write to that stream too. */
export type LabelEvent = {
  readonly revision: number;
  readonly type: string;
  /** Undefined where it is too large to be ours, or no JSON. */
  readonly data: unknown;
  readonly recordedAt: Date;
};

/**
 * Not written where something stood there already, which may be what no reader is given: a server cuts a stream short where
 * its metadata say so. `end` is then the revision behind which it can be written.
 */
export type LabelWritten = { readonly isWritten: boolean; readonly end: number | undefined };

export type LogLabel = {
  /** The oldest first, each added to what is known; nothing else of the stream is kept, since others may fill it. */
  readonly read: <Known>(add: (known: Known, event: LabelEvent) => Known, first: Known) => Promise<Known>;
  /** The last revision that the stream has had, whatever of it a reader is given. Undefined: it never had any. */
  readonly end: () => Promise<number | undefined>;
  /** Behind that revision, or as the first. */
  readonly write: (
    after: number | undefined,
    event: { readonly type: string; readonly data: JsonObject },
  ) => Promise<LabelWritten>;
  /** From here on nobody waits for a log that does not answer. */
  readonly leave: () => void;
};

/** Whether it is still the log that it was. */
export type SameLog = {
  /** Grows with each sign that it may be another one by now: a new connection, or an event that it gave and lacks. */
  readonly exchanges: () => number;
  /** Settles once that was asked since the last sign that it may be another one; rejects while it is not. */
  readonly isOurs: () => Promise<void>;
  /** Settles where it may be written to; rejects with `LogReadOnly` while it lacks what was shown of it. */
  readonly isWhole: () => Promise<void>;
};

/** One on a server of its own, under whose address another one may come to stand. */
export type ExchangeableLog = EventLog & {
  readonly label: LogLabel;
  readonly exchanges: SameLog['exchanges'];
  /**
   * Each try of an append or a read, and each beginning of a follower, waits for this from here on, and is not sent where it
   * rejects. What comes of it behind the next sign that the log may be another one is given to nobody.
   */
  readonly askBefore: (same: SameLog) => void;
  /** Rejects as soon as it is known not to answer, and is not begun while it is. */
  readonly whileAnswering: <T>(ask: () => Promise<T>) => Promise<T>;
};
