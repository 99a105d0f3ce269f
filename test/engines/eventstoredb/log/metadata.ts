import { TOMBSTONE_REVISION } from './event.ts';

/** The part of a stream's metadata that decides what can be read. */
export type StreamMetadata = {
  readonly maxCount?: number;
  readonly maxAgeSeconds?: number;
  readonly truncateBefore: number;
  /** As it was written, since reviving a stream keeps what it does not understand. */
  readonly raw: Readonly<Record<string, unknown>>;
};

export const NO_METADATA: StreamMetadata = { truncateBefore: 0, raw: {} };

const parse = (data: Uint8Array): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

/** Anyone may append to a metastream: what is no JSON object is no metadata. */
export const readMetadata = (data: Uint8Array): StreamMetadata => {
  const raw = parse(data);
  const { $maxCount, $maxAge, $tb } = raw;
  return {
    ...(typeof $maxCount === 'number' && { maxCount: $maxCount }),
    ...(typeof $maxAge === 'number' && { maxAgeSeconds: $maxAge }),
    truncateBefore: typeof $tb === 'number' ? $tb : 0,
    raw,
  };
};

export const isSoftDeleted = (metadata: StreamMetadata) => metadata.truncateBefore >= TOMBSTONE_REVISION;

/** A soft delete drops whatever else the metadata said. Spelled out, since 2^63 - 1 is no JavaScript number. */
export const SOFT_DELETE = '{"$tb":9223372036854775807}';

/** Reviving keeps the rest and hides what was there before. */
export const revived = (metadata: StreamMetadata, from: number) => JSON.stringify({ ...metadata.raw, $tb: from });
