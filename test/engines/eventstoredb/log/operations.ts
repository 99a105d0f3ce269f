import { randomUUID } from 'node:crypto';
import { type Decision, decide } from './decide.ts';
import {
  type Expected,
  isMetastream,
  METADATA,
  metastreamOf,
  originalOf,
  type Proposed,
  SCAVENGE_POINT,
  SCAVENGES,
  TOMBSTONE_REVISION,
} from './event.ts';
import type { Log } from './log.ts';
import { isSoftDeleted, revived, SOFT_DELETE } from './metadata.ts';
import { firstVisible, lastRevision, readable } from './stream.ts';

export type Answer =
  | { readonly kind: 'written'; readonly first: number; readonly revision: number; readonly position: number }
  /** Without a position when the event that it repeats can no longer be read: nothing is there and nothing was written. */
  | { readonly kind: 'repeated'; readonly revision: number; readonly position: number | undefined }
  | { readonly kind: 'conflict'; readonly expected: Expected; readonly actual: number }
  | { readonly kind: 'deleted' };

export const systemEvent = (type: string, json: string): Proposed => ({
  id: randomUUID(),
  type,
  json: true,
  data: Buffer.from(json),
  metadata: new Uint8Array(),
});

/** A new event, or new metadata, brings a soft-deleted stream back without what it had before. */
const revive = (log: Log, name: string, from: number) => {
  const stream = log.stream(name);
  if (!stream || !isSoftDeleted(stream.metadata)) return;
  log.write(metastreamOf(name), [systemEvent(METADATA, revived(stream.metadata, from))]);
};

const reviveByMetadata = (log: Log, name: string) => {
  const stream = log.stream(name);
  if (stream) log.write(metastreamOf(name), [systemEvent(METADATA, revived(stream.metadata, stream.events.length))]);
};

const softDeletedOwner = (log: Log, name: string) => {
  const owner = isMetastream(name) ? log.stream(originalOf(name)) : undefined;
  return owner && isSoftDeleted(owner.metadata) ? owner.name : undefined;
};

const write = (log: Log, name: string, events: readonly Proposed[], revives: boolean): Answer => {
  const before = lastRevision(log.stream(name));
  const owner = events.length > 0 ? softDeletedOwner(log, name) : undefined;
  const { position, last } = log.write(name, events);
  if (revives && events.length > 0) revive(log, name, before + 1);
  if (owner !== undefined) reviveByMetadata(log, owner);
  return { kind: 'written', first: before + 1, revision: last, position };
};

const repeat = (log: Log, name: string, revision: number): Answer => {
  const stream = readable(log.stream(name));
  const visible = stream && revision >= firstVisible(stream);
  return { kind: 'repeated', revision, position: visible ? stream.events[revision]?.position : undefined };
};

const refuse = (log: Log, name: string, expected: Expected, { kind }: Decision): Answer =>
  kind === 'deleted' ? { kind } : { kind: 'conflict', expected, actual: lastRevision(log.stream(name)) };

export const append = (log: Log, name: string, expected: Expected, events: readonly Proposed[]): Answer => {
  const decision = decide(
    log,
    name,
    expected,
    events.map(({ id }) => id),
  );
  if (decision.kind === 'write') return write(log, name, events, decision.revives);
  if (decision.kind === 'repeat') return repeat(log, name, decision.last);
  return refuse(log, name, expected, decision);
};

/** Takes away for good what deleted and shortened streams hide. */
export const scavenge = (log: Log) => {
  log.write(SCAVENGES, [systemEvent(SCAVENGE_POINT, '{"threshold":0}')]);
};

/** A soft delete is metadata that hides everything; a stream that never was cannot be deleted. */
export const softDelete = (log: Log, name: string, expected: Expected): Answer => {
  const decision = decide(log, name, expected, [randomUUID()]);
  if (decision.kind === 'write' && lastRevision(log.stream(name)) < 0)
    return refuse(log, name, expected, { kind: 'conflict' });
  if (decision.kind !== 'write') return refuse(log, name, expected, decision);
  const { position, last } = log.write(metastreamOf(name), [systemEvent(METADATA, SOFT_DELETE)]);
  return { kind: 'written', first: last, revision: last, position };
};

/** A tombstone is an event of the stream itself, and the last word: the name is never free again. */
export const tombstone = (log: Log, name: string, expected: Expected): Answer => {
  const id = randomUUID();
  const decision = decide(log, name, expected, [id]);
  if (decision.kind !== 'write') return refuse(log, name, expected, decision);
  const { position } = log.tombstone(name, id);
  return { kind: 'written', first: TOMBSTONE_REVISION, revision: TOMBSTONE_REVISION, position };
};
