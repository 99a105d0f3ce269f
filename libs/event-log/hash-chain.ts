import { hash as digest } from 'node:crypto';
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

const COVERED: ReadonlySet<string> = new Set<keyof StoredMetadata>([
  ...(['schema_version', 'occurred_at', 'actor', 'correlation', 'causation', 'prev_hash', 'hash'] as const),
]);

const HASH = /^[0-9a-f]{64}$/;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);
const isHash = (value: unknown): boolean => typeof value === 'string' && HASH.test(value);

const SHAPE: { readonly [Name in keyof StoredMetadata]-?: (value: unknown) => boolean } = {
  schema_version: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  occurred_at: isText,
  ...{ actor: isTextOrNone, correlation: isTextOrNone, causation: isTextOrNone },
  prev_hash: (value) => value === null || isHash(value),
  hash: isHash,
};

/** Whether some log of ours can have written it, by its shape alone. */
export const isStoredMetadata = (value: unknown): value is StoredMetadata =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(SHAPE).every(([name, isFit]) => isFit(Reflect.get(value, name)));

/** What stands in metadata and in no hash: anybody could have put it there. */
export const uncovered = (metadata: StoredMetadata): readonly string[] =>
  Object.keys(metadata).filter((name) => !COVERED.has(name));

type Hashed = { stream: string; revision: number; id: string; type: string; metadata: Omit<StoredMetadata, 'hash'> };

const optional = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `"${name}":${JSON.stringify(value)},`;

/**
 * The canonical JSON of the whole, written down key by key in its order: what is hashed for every event, by every
 * command and by whoever proves the log, need not be sorted each time. `data` is canonical text already.
 */
const hashOf = ({ stream, revision, id, type, metadata }: Hashed, dataText: string): string => {
  const { schema_version, occurred_at, actor, correlation, causation, prev_hash } = metadata;
  const told = `{${optional('actor', actor)}${optional('causation', causation)}${optional('correlation', correlation)}`;
  const sealed = `${told}"occurred_at":${JSON.stringify(occurred_at)},"prev_hash":${JSON.stringify(prev_hash)},"schema_version":${schema_version}}`;
  const place = `"revision":${revision},"stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}`;
  return digest('sha256', `{"data":${dataText},"id":${JSON.stringify(id)},"metadata":${sealed},${place}}`, 'hex');
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

/** An event as the store has it: its data is the text that was hashed; undefined: what it has was never written so. */
export type WrittenEvent = Omit<Hashed, 'metadata'> & {
  readonly metadata: StoredMetadata;
  readonly data: string | undefined;
};

export const CHANGED = 'its content was changed after it was written';

/** Undefined: no log of ours has written it. JSON holds numbers and depths that it takes from nobody. */
export const canonicalText = (data: unknown): string | undefined => {
  try {
    return canonicalize(data);
  } catch {
    return undefined;
  }
};

/** What cannot be hashed has no hash, whatever it names as such. */
export const isAsWritten = (event: Omit<WrittenEvent, 'data'>, text: string | undefined): boolean => {
  try {
    return text !== undefined && hashOf(event, text) === event.metadata.hash;
  } catch {
    return false;
  }
};

/** Proves one event, as stored: its hash fits its content, and its link the event before. */
export const linkAfterText = (expected: Link, event: WrittenEvent): Link => {
  const { revision, metadata } = event;
  const broken = (what: string): Error =>
    new BrokenHistory(`stream ${event.stream}, revision ${revision}, event ${event.id}: ${what}`);
  if (revision !== expected.revision) throw broken(`revision ${expected.revision} is missing`);
  if (metadata.prev_hash !== expected.hash) throw broken('it does not follow the event before it');
  if (!isAsWritten(event, event.data)) throw broken(CHANGED);
  return { revision: revision + 1, hash: metadata.hash };
};

/** The same of an event that was read. */
export const linkAfter = (expected: Link, event: RecordedEvent): Link => {
  const { hash, prevHash, ...metadata } = event.metadata;
  const stored = { ...named(metadata, event.schemaVersion), prev_hash: prevHash, hash };
  return linkAfterText(expected, { ...event, metadata: stored, data: canonicalText(event.data) });
};

/** Proves that a stream is as it was written. Takes it from its first event, as stored. */
export const verifyChain = async (events: AsyncIterable<RecordedEvent> | Iterable<RecordedEvent>): Promise<number> => {
  let link = FIRST_LINK;
  for await (const event of events) link = linkAfter(link, event);
  return link.revision;
};
