/** What a caller asks to have written. */
export type Proposed = {
  readonly id: string;
  readonly type: string;
  readonly json: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};

/** One append as it lies in the log: all of its events or, for an append without events, only its place. */
export type Commit = {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly created: number;
  readonly events: readonly Proposed[];
};

export type Recorded = Proposed & {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly created: number;
};

/** A number is a revision; bigint, since a caller may name one past 2^53 and gets it back in the refusal. */
export type Expected = 'any' | 'no_stream' | 'stream_exists' | bigint;

/** The revision of a tombstone is 2^63 - 1, which a double cannot hold: its neighbour stands for it. */
export const TOMBSTONE_REVISION = 2 ** 63;
export const LAST_REVISION = '9223372036854775807';
export const revisionText = (revision: number) => (revision >= TOMBSTONE_REVISION ? LAST_REVISION : String(revision));

export const METADATA = '$metadata';
export const TOMBSTONE = '$streamDeleted';

/** What a scavenge writes of itself, before it takes away what lies before that. */
export const SCAVENGES = '$scavenges';
export const SCAVENGE_POINT = '$scavengePoint';

export const metastreamOf = (stream: string) => `$$${stream}`;
export const isMetastream = (stream: string) => stream.startsWith('$$');
export const originalOf = (metastream: string) => metastream.slice(2);

/** Records take room in the log, so that positions have gaps: one that lies inside a record is refused. */
const RECORD_OVERHEAD = 96;
export const sizeOf = (stream: string, event: Proposed) =>
  RECORD_OVERHEAD + stream.length + event.type.length + event.data.length + event.metadata.length;
export const EMPTY_COMMIT_SIZE = RECORD_OVERHEAD;
