import type { AllStreamRecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import { BrokenHistory } from '../errors.ts';
import { isStoredMetadata } from '../hash-chain.ts';
import type { JsonObject } from '../json.ts';
import { LABEL_STREAM } from '../label.ts';
import { type Position, positionOf } from '../position.ts';
import { type StoredEvent, UNREADABLE } from '../store.ts';

export type ServerPosition = { readonly commit: bigint; readonly prepare: bigint };

export const positionFrom = ({ commit, prepare }: ServerPosition): Position => positionOf(commit, prepare);

/** Streams and types of the server itself begin with $. */
export const isSystem = ({ type, streamId }: { readonly type: string; readonly streamId: string }): boolean =>
  type.startsWith('$') || streamId.startsWith('$');

export const recordOf = ({ event }: ResolvedEvent | { event?: unknown }): AllStreamRecordedEvent => {
  if (event === undefined) throw new BrokenHistory('EventStoreDB gave a link to an event that is gone');
  return event as AllStreamRecordedEvent;
};

/** Which streams of a server that others use too belong to this log; told of what it passes over. */
export type Ownership = {
  /** Undefined: all of them. */
  readonly isOwn?: ((stream: string) => boolean) | undefined;
  readonly onForeign?: ((stream: string) => void) | undefined;
};

const NOTHING = new Uint8Array();

/** All that is looked at of the server's own records, and of somebody else's: what they say may be of any size. */
export const placeOf = (record: AllStreamRecordedEvent): AllStreamRecordedEvent => ({
  ...record,
  ...{ isJson: false, data: NOTHING, metadata: undefined },
});

export const isOwnRecord = (record: AllStreamRecordedEvent, { isOwn }: Ownership): boolean =>
  !isSystem(record) && (isOwn === undefined || isOwn(record.streamId));

/** Undefined: somebody else's, whatever it says of itself, or the log's label. In a stream of ours it is broken history. */
export const ownEventOf = (record: AllStreamRecordedEvent, { isOwn, onForeign }: Ownership) => {
  if (record.streamId === LABEL_STREAM) return undefined;
  if (isOwn === undefined || isOwn(record.streamId)) return eventOf(record);
  onForeign?.(record.streamId);
  return undefined;
};

export const eventOf = (record: AllStreamRecordedEvent): StoredEvent => {
  const { streamId, revision, id, type, data, metadata, position, created } = record;
  const where = `stream ${streamId}, revision ${revision}`;
  if (position === undefined) throw new BrokenHistory(`${where}: the server gave no position; it needs to be ≥ 22.6`);
  return {
    stream: streamId,
    revision: Number(revision),
    position: positionFrom(position),
    id,
    type,
    recordedAt: created,
    data: data as JsonObject,
    ...(isStoredMetadata(metadata)
      ? { metadata }
      : { metadata: UNREADABLE, problem: 'the event was not written by this log' }),
  };
};
