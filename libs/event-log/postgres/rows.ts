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
  /** `infinity` arrives as a number. */
  readonly recorded_at: Date | number;
  /** Left out by whoever reads no further than the log has come. */
  readonly unreached?: boolean;
};

export const COLUMNS = 'stream, revision, xid, position, id, type, data, metadata, recorded_at';

/** No transaction from here on has written anything yet that can be read. Once a statement, not once a row. */
export const NEXT_XID = '(SELECT pg_snapshot_xmax(pg_current_snapshot()))';

/**
 * Somebody else than the log chose where such an event stands: whoever reads in order does not come to it, and no proof
 * or seal would.
 */
export const UNREACHED = `xid >= ${NEXT_XID}`;

const UNREACHED_PROBLEM = 'it stands at a place in the order over all streams that the log has not come to';

/** Undefined: no JSON object. */
const objectIn = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
};

/** Postgres keeps more than can be written as a moment: `infinity`, and years of more than four digits or before Christ. */
const NO_MOMENT_PROBLEM = 'the moment at which it was recorded is none';

/** Undefined: it is no moment. */
const momentIn = (value: Date | number): Date | undefined => {
  const year = new Date(value).getUTCFullYear();
  return year > 0 && year < 10_000 ? new Date(value) : undefined;
};

/** Of what no hash covers. */
export const problemBeside = (hasMoment: boolean, isUnreached: boolean): string | undefined => {
  if (!hasMoment) return NO_MOMENT_PROBLEM;
  return isUnreached ? UNREACHED_PROBLEM : undefined;
};

const problemOf = (isReadable: boolean, hasMoment: boolean, { unreached = false }: EventRow): string | undefined =>
  isReadable ? problemBeside(hasMoment, unreached) : 'it cannot be read any more';

export const eventOf = (row: EventRow): StoredEvent => {
  const [data, metadata] = [objectIn(row.data), objectIn(row.metadata)];
  const moment = momentIn(row.recorded_at);
  const problem = problemOf(data !== undefined && metadata !== undefined, moment !== undefined, row);
  return {
    stream: row.stream,
    revision: Number(row.revision),
    position: positionOf(row.xid, row.position),
    id: row.id,
    type: row.type,
    recordedAt: moment ?? new Date(0),
    data: data ?? {},
    metadata: metadata === undefined ? UNREADABLE : (metadata as unknown as StoredMetadata),
    text: row.data,
    ...(problem !== undefined && { problem }),
  };
};
