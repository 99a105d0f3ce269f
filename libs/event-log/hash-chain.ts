import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PreparedEvent } from './append-request.ts';
import { BrokenHistory } from './errors.ts';
import type { EventMetadata, RecordedEvent } from './port.ts';

/** Metadata as it is stored; the names are those of the audit documentation. */
export type StoredMetadata = {
  readonly schema_version: number;
  readonly occurred_at: string;
  readonly actor?: string;
  readonly correlation?: string;
  readonly causation?: string;
  readonly prev_hash: string | null;
  readonly hash: string;
};

type Hashed = { stream: string; revision: number; id: string; type: string; metadata: Omit<StoredMetadata, 'hash'> };

/**
 * The data is spliced in as text: it is canonical already, `data` sorts before every other key here, and a megabyte
 * need not be walked twice. The result is the canonical JSON of the whole.
 */
const hashOf = ({ metadata, ...place }: Hashed, dataText: string): string => {
  const rest = canonicalize({ ...place, metadata }) ?? '';
  return createHash('sha256').update(`{"data":${dataText},`).update(rest.slice(1)).digest('hex');
};

const named = (metadata: EventMetadata, schemaVersion: number): Omit<StoredMetadata, 'hash' | 'prev_hash'> => ({
  schema_version: schemaVersion,
  occurred_at: metadata.occurredAt,
  ...(metadata.actor !== undefined && { actor: metadata.actor }),
  ...(metadata.correlationId !== undefined && { correlation: metadata.correlationId }),
  ...(metadata.causationId !== undefined && { causation: metadata.causationId }),
});

/** Links one event behind the one before it. */
export const seal = (
  stream: string,
  revision: number,
  prevHash: string | null,
  event: PreparedEvent,
): StoredMetadata => {
  const metadata = { ...named(event.metadata, event.schemaVersion), prev_hash: prevHash };
  return { ...metadata, hash: hashOf({ stream, revision, id: event.id, type: event.type, metadata }, event.data) };
};

/** What the next event of a stream has to follow. */
export type Link = { readonly revision: number; readonly hash: string | null };

export const FIRST_LINK: Link = { revision: 0, hash: null };

/** Proves one event, as stored: its hash fits its content, and its link the event before. */
export const linkAfter = (expected: Link, event: RecordedEvent): Link => {
  const { stream, revision, id, type } = event;
  const { hash, prevHash, ...metadata } = event.metadata;
  const where = `stream ${stream}, revision ${revision}, event ${id}`;
  if (revision !== expected.revision) throw new BrokenHistory(`${where}: revision ${expected.revision} is missing`);
  if (prevHash !== expected.hash) throw new BrokenHistory(`${where}: it does not follow the event before it`);
  const sealed = { ...named(metadata, event.schemaVersion), prev_hash: prevHash };
  const actual = hashOf({ stream, revision, id, type, metadata: sealed }, canonicalize(event.data) ?? '');
  if (actual !== hash) throw new BrokenHistory(`${where}: its content was changed after it was written`);
  return { revision: revision + 1, hash };
};

/** Proves that a stream is as it was written. Takes it from its first event, as stored. */
export const verifyChain = async (events: AsyncIterable<RecordedEvent> | Iterable<RecordedEvent>): Promise<number> => {
  let link = FIRST_LINK;
  for await (const event of events) link = linkAfter(link, event);
  return link.revision;
};
