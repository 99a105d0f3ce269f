import canonicalize from 'canonicalize';
import { AppendTooLarge, InvalidAppend } from './errors.ts';
import type { Json } from './json.ts';
import type { EventMetadata, NewEvent } from './port.ts';

/** The most that EventStoreDB takes: the bytes of data summed over one append; metadata is not counted. */
export const MAX_APPEND_BYTES = 1_048_576;

/** An index of Postgres takes no entry of more than about 2,700 bytes. */
const MAX_NAME_BYTES = 1_000;

/** An event whose data is already the text that will be stored: canonical JSON (RFC 8785). */
export type PreparedEvent = {
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: string;
  readonly metadata: EventMetadata;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NIL = '00000000-0000-0000-0000-000000000000';

const refuseName = (what: string, name: string): void => {
  if (name === '') throw new InvalidAppend(`${what} must not be empty`);
  if (name.startsWith('$')) throw new InvalidAppend(`${what} must not begin with $, which is the log's own: ${name}`);
  if (name.includes('\u0000')) throw new InvalidAppend(`${what} must not hold a NUL character`);
  // Half a character would be stored as a replacement mark, and two names could become one.
  if (!name.isWellFormed()) throw new InvalidAppend(`${what} must not hold half a surrogate pair`);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new InvalidAppend(`${what} has more than ${MAX_NAME_BYTES} bytes: ${name.slice(0, 50)}…`);
};

type Foreign = { readonly path: string; readonly what: string };

/** JSON has no undefined, no BigInt, no NaN, no class. */
const foreign = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (value === undefined || typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
    return `of type ${typeof value}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? undefined : `a ${value.constructor.name}`;
};

/** Where there is none, which is always, no path is written down. */
const findForeign = (value: unknown): Foreign | undefined => {
  const what = foreign(value);
  if (what !== undefined) return { path: '', what };
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const found = findForeign(Reflect.get(value, key));
    if (found) return { path: `${isList ? `[${key}]` : `.${String(key)}`}${found.path}`, what: found.what };
  }
  return undefined;
};

/** What would be dropped or changed in silence is refused here. */
const refuseForeign = (data: Json): void => {
  const found = findForeign(data);
  if (found) throw new InvalidAppend(`data${found.path} is ${found.what}, not JSON`);
};

const canonicalText = (data: Json, where: string): string => {
  try {
    refuseForeign(data);
    const text = canonicalize(data);
    if (text !== undefined) return text;
  } catch (error) {
    if (error instanceof InvalidAppend) throw new InvalidAppend(`${where}: ${error.message}`);
    throw new InvalidAppend(`${where}: data cannot be written as JSON`, { cause: error });
  }
  throw new InvalidAppend(`${where}: data cannot be written as JSON`);
};

const prepare = (stream: string, event: NewEvent): PreparedEvent => {
  const where = `stream ${stream}, event ${event.type} ${event.id}`;
  if (!UUID.test(event.id) || event.id === NIL) throw new InvalidAppend(`${where}: the id must be a lower-case UUID`);
  refuseName(`${where}: the event type`, event.type);
  const schemaVersion = event.schemaVersion ?? 1;
  if (!Number.isSafeInteger(schemaVersion) || schemaVersion < 1)
    throw new InvalidAppend(`${where}: the schema version must be a whole number from 1`);
  const { id, type, metadata } = event;
  return { id, type, schemaVersion, data: canonicalText(event.data, where), metadata };
};

/** Checks everything that one store or the other would refuse, so that both refuse alike and before anything is sent. */
export const prepareAppend = (stream: string, events: readonly NewEvent[]): readonly PreparedEvent[] => {
  refuseName('a stream name', stream);
  if (events.length === 0) throw new InvalidAppend(`stream ${stream}: an append needs at least one event`);
  const prepared = events.map((event) => prepare(stream, event));
  if (prepared.length > 1 && new Set(prepared.map((event) => event.id)).size < prepared.length)
    throw new InvalidAppend(`stream ${stream}: the same event id stands twice in one append`);
  const bytes = prepared.reduce((sum, event) => sum + Buffer.byteLength(event.data), 0);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes, MAX_APPEND_BYTES);
  return prepared;
};
