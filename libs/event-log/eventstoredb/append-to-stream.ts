import {
  type Credentials,
  type JSONEventData,
  type JSONType,
  jsonEvent,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { BrokenHistory } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { type AppendOutcome, type EventToStore, NOTHING } from '../store.ts';
import type { Connection } from './connection.ts';
import { positionFrom } from './events.ts';
import { translated } from './failures.ts';

/** History's events, and what is no part of it, which has other metadata. */
type EventToWrite = Omit<EventToStore, 'metadata'> & { readonly metadata: Readonly<Record<string, unknown>> };

const toClient = ({ id, type, data, metadata }: EventToWrite): JSONEventData =>
  jsonEvent({ id, type, data: JSON.parse(data) as JsonObject as JSONType, metadata: { ...metadata } });

const conflictOf = (error: unknown): AppendOutcome | undefined => {
  if (!(error instanceof WrongExpectedVersionError)) return undefined;
  const { actualVersion } = error;
  return { kind: 'conflict', actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : 'no_stream' };
};

/**
 * Always with credentials: they choose the client's plain path, one call an append. Its batch path shares one stream
 * and one map of pending appends over the whole process, and loses track of appends when any of them fails.
 */
export const appendToStream = async (
  connection: Connection,
  credentials: Credentials,
  stream: string,
  after: number,
  events: readonly EventToWrite[],
): Promise<AppendOutcome> => {
  const expectedRevision = after === NOTHING ? NO_STREAM : BigInt(after);
  try {
    const { nextExpectedRevision, position } = await connection.call((client) =>
      client.appendToStream(stream, events.map(toClient), { expectedRevision, credentials, requiresLeader: true }),
    );
    // The server's only sign of an append that it took for a repeat of a deleted one and did not write.
    if (position === undefined)
      throw new BrokenHistory(`stream ${stream}: the server acknowledged an append that it did not write`);
    // The server compares ids alone and does not say whether it wrote: what stands there may have another hash.
    const revision = Number(nextExpectedRevision);
    return { kind: 'appended', revision, position: positionFrom(position), hash: undefined };
  } catch (error) {
    const conflict = conflictOf(error);
    if (conflict) return conflict;
    throw translated(error);
  }
};
