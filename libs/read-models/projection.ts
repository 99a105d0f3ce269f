import type { EventFilter, RecordedEvent } from '#event-log';
import type { RowChange } from './changes/row-change.ts';

/** A pure mapping from an event to row changes: no clock, no I/O, no memory of other events but what rows keep. */
export type Projection = {
  readonly name: string;
  /** Raised when the rows have to be filled anew from the first event. */
  readonly version: number;
  /** What it passes over still moves the checkpoint. */
  readonly filter?: EventFilter;
  readonly project: (event: RecordedEvent) => readonly RowChange[];
  /** Nobody waits for its rows: it takes what has come by the batch, so often at most. Default: the log's. */
  readonly everyMs?: number;
  /**
   * The streams whose events it takes: those of one that is not as it was written it does not. `table`: the row of such
   * a stream remembers the revision and the hash of the last event that it shows.
   */
  readonly proves?: { readonly prefix: string; readonly table?: string };
};

/** What names a projection among all: its rows, its checkpoint, its owner and whoever waits for it. */
export type ProjectionId = Pick<Projection, 'name' | 'version'>;

/** What its runners say, as pino takes it. Asked for and not optional: a projection that stops must be heard. */
export type ProjectionLogger = {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
};

export const keyOf = ({ name, version }: ProjectionId): string => `${name}/${version}`;

export const checkProjection = ({ name, version }: ProjectionId): void => {
  if (!/^[a-z][a-z0-9_-]{0,62}$/.test(name))
    throw new TypeError(`projection name "${name}": lower-case letters, digits, - and _ after a letter, at most 63`);
  if (!Number.isSafeInteger(version) || version < 1)
    throw new TypeError(`projection ${name}: version ${version} is not a whole number from 1`);
};
