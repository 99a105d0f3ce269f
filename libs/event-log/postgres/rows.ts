import type { StoredMetadata } from '../hash-chain.ts';
import type { JsonObject } from '../json.ts';
import { positionOf } from '../position.ts';
import { type StoredEvent, UNREADABLE } from '../store.ts';

/** bigint and xid8 arrive as text. */
export type EventRow = {
  readonly stream: string;
  readonly revision: string;
  readonly xid: string;
  readonly position: string;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  readonly recorded_at: Date;
};

export const COLUMNS = 'stream, revision, xid, position, id, type, data, metadata, recorded_at';

/** Undefined: no JSON object. */
const objectIn = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
};

export const eventOf = (row: EventRow): StoredEvent => {
  const [data, metadata] = [objectIn(row.data), objectIn(row.metadata)];
  return {
    stream: row.stream,
    revision: Number(row.revision),
    position: positionOf(row.xid, row.position),
    id: row.id,
    type: row.type,
    recordedAt: row.recorded_at,
    data: data ?? {},
    metadata: metadata === undefined ? UNREADABLE : (metadata as unknown as StoredMetadata),
    text: row.data,
    ...((data === undefined || metadata === undefined) && { problem: 'it cannot be read any more' }),
  };
};
