import type { AllStreamRecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import { BrokenHistory } from '../errors.ts';
import type { StoredMetadata } from '../hash-chain.ts';
import type { JsonObject } from '../json.ts';
import { type Position, positionOf } from '../position.ts';
import type { StoredEvent } from '../store.ts';

type ServerPosition = { readonly commit: bigint; readonly prepare: bigint };

export const positionFrom = ({ commit, prepare }: ServerPosition): Position => positionOf(commit, prepare);

/** Some server before this one, or somebody's hand, can have put into the database what is not ours. */
const isOurs = (metadata: unknown): metadata is StoredMetadata =>
  typeof metadata === 'object' && metadata !== null && 'hash' in metadata && 'schema_version' in metadata;

/** Streams and types of the server itself begin with $. */
export const isSystem = ({ type, streamId }: { readonly type: string; readonly streamId: string }): boolean =>
  type.startsWith('$') || streamId.startsWith('$');

export const recordOf = ({ event }: ResolvedEvent | { event?: unknown }): AllStreamRecordedEvent => {
  if (event === undefined) throw new BrokenHistory('EventStoreDB gave a link to an event that is gone');
  return event as AllStreamRecordedEvent;
};

export const eventOf = (record: AllStreamRecordedEvent): StoredEvent => {
  const { streamId, revision, id, type, data, metadata, position, created } = record;
  const where = `stream ${streamId}, revision ${revision}`;
  if (!isOurs(metadata)) throw new BrokenHistory(`${where}: the event was not written by this log`);
  if (position === undefined) throw new BrokenHistory(`${where}: the server gave no position; it needs to be ≥ 22.6`);
  return {
    stream: streamId,
    revision: Number(revision),
    position: positionFrom(position),
    id,
    type,
    recordedAt: created,
    data: data as JsonObject,
    metadata,
  };
};
