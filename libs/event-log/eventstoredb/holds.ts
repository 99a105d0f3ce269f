import { BACKWARDS, END } from '@eventstore/db-client';
import { BrokenHistory } from '../errors.ts';
import type { EventMark } from '../port.ts';
import type { Connection } from './connection.ts';
import { positionFrom, recordOf } from './events.ts';
import { readBehind } from './read-all.ts';
import { readStream } from './read-stream.ts';

/** A stream's end or metadata hide its events from whoever reads that; here they stand until the server scavenges. */
const standsInAll = async (connection: Connection, { position, id }: EventMark): Promise<boolean> => {
  const page = await readBehind(connection, { after: position, forwards: true, maxCount: 1 });
  // Where no record begins the stream tells.
  const record = page?.items[0];
  return record !== undefined && record.id === id && positionFrom(record.position) === position;
};

/** Metadata that may hide all from a revision on. */
const hidesAllFrom = async (connection: Connection, { stream, revision }: EventMark): Promise<boolean> => {
  const asked = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const;
  const [written] = await connection.page((client) => client.readStream(`$$${stream}`, asked));
  const settings = written && recordOf(written).data;
  if (typeof settings !== 'object') return false;
  const { $maxAge, $tb } = Object.fromEntries(Object.entries(settings));
  return $maxAge !== undefined || (typeof $tb === 'number' && $tb > revision);
};

/** What was deleted or cut short by the server's own means is gone for good once it scavenges, and still was of this log. */
const standsInStream = async (connection: Connection, mark: EventMark): Promise<boolean> => {
  const { stream, revision, position, id } = mark;
  try {
    const from = { from: revision, direction: 'forwards', limit: 1 } as const;
    for await (const event of readStream(connection, stream, from))
      return event.revision > revision || (event.id === id && event.position === position);
  } catch (error) {
    if (error instanceof BrokenHistory) return true;
    throw error;
  }
  return hidesAllFrom(connection, mark);
};

export const holds = async (connection: Connection, mark: EventMark): Promise<boolean> =>
  (await standsInAll(connection, mark)) || standsInStream(connection, mark);
