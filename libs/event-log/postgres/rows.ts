import type { StoredMetadata } from '../hash-chain.ts';
import type { JsonObject } from '../json.ts';
import { positionOf } from '../position.ts';
import type { StoredEvent } from '../store.ts';

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

export const eventOf = (row: EventRow): StoredEvent => ({
  stream: row.stream,
  revision: Number(row.revision),
  position: positionOf(BigInt(row.xid), BigInt(row.position)),
  id: row.id,
  type: row.type,
  recordedAt: row.recorded_at,
  data: JSON.parse(row.data) as JsonObject,
  metadata: JSON.parse(row.metadata) as StoredMetadata,
});
