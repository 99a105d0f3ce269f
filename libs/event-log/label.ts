import type { JsonObject } from './json.ts';

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
};
