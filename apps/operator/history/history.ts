import { SentDigits, SentWord } from '#door/fields';
import { numberIn } from '#door/lists';
import { type EventLog, type RecordedEvent, UnknownSchemaVersion } from '#event-log';
import { EventsBody, eventBody } from './event-body.ts';

export class EventsQuery {
  @SentDigits.optional('Most events of a page; all of them unless told', '100')
  limit?: string;

  @SentDigits.optional('next_cursor of the page before: the revision to begin with', '100')
  cursor?: string;

  @SentWord.optional(['true', 'false'], 'true: every event in the shape in which it was written and hashed', 'true')
  raw?: 'true' | 'false';
}

type Read = { readonly from: number; readonly limit?: number };

/** In the newest shape, unless one is newer than this release: then all are shown as they are stored. */
const inNewestShape = async (log: Pick<EventLog, 'read'>, stream: string, read: Read): Promise<RecordedEvent[]> => {
  try {
    return await Array.fromAsync(log.read(stream, read));
  } catch (error) {
    if (error instanceof UnknownSchemaVersion) return asStored(log, stream, read);
    throw error;
  }
};

const asStored = (log: Pick<EventLog, 'read'>, stream: string, read: Read): Promise<RecordedEvent[]> =>
  Array.fromAsync(log.read(stream, { ...read, asStored: true }));

/**
 * A page of a stream; undefined where there is none. From a revision on, and so unproven: an auditor has to be shown a
 * history that is broken, too.
 */
export const historyOf = async (
  log: Pick<EventLog, 'read'>,
  stream: string,
  { cursor, limit: digits, raw }: EventsQuery,
): Promise<EventsBody | undefined> => {
  const [from, limit] = [numberIn(cursor) ?? 0, numberIn(digits)];
  const read = { from, ...(limit !== undefined && { limit: limit + 1 }) };
  const found = await (raw === 'true' ? asStored : inNewestShape)(log, stream, read);
  if (found.length === 0 && from === 0) return undefined;
  const shown = found.slice(0, limit);
  const next = found[shown.length];
  return { stream, events: shown.map(eventBody), next_cursor: next ? String(next.revision) : null };
};
