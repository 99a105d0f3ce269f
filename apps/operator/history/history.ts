import { schemaMismatch } from '#door/errors';
import { SentDigits, SentWord } from '#door/fields';
import { numberIn } from '#door/lists';
import { type EventLog, type ReadOptions, type RecordedEvent, UnknownSchemaVersion } from '#event-log';
import { EventsBody, eventBody } from './event-body.ts';

export class EventsQuery {
  @SentDigits.optional('Most events of a page; all of them unless told', '100')
  limit?: string;

  @SentDigits.optional('next_cursor of the page before: the revision to begin with', '100')
  cursor?: string;

  @SentDigits.optional('The newest so many alone, at least one, in order; neither limit nor cursor beside it', '200')
  newest?: string;

  @SentWord.optional(['true', 'false'], 'true: every event in the shape in which it was written and hashed', 'true')
  raw?: 'true' | 'false';
}

type Read = Pick<ReadOptions, 'from' | 'limit' | 'direction'>;

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

/** Its end without what is before it: a long history is looked at from there. */
const newestOf = (query: EventsQuery, newest: number): Read => {
  const beside = (['cursor', 'limit'] as const).filter((name) => query[name] !== undefined);
  if (beside.length > 0)
    throw schemaMismatch(beside.map((name) => ({ path: [name], message: 'cannot be sent together with newest' })));
  return { direction: 'backwards', limit: Math.max(newest, 1) };
};

/**
 * A page of a stream; undefined where there is none. From a revision on, and so unproven: an auditor has to be shown a
 * history that is broken, too.
 */
export const historyOf = async (
  log: Pick<EventLog, 'read'>,
  stream: string,
  query: EventsQuery,
): Promise<EventsBody | undefined> => {
  const [from, limit, newest] = [numberIn(query.cursor) ?? 0, numberIn(query.limit), numberIn(query.newest)];
  const read = query.raw === 'true' ? asStored : inNewestShape;
  if (newest !== undefined) {
    const events = (await read(log, stream, newestOf(query, newest))).toReversed();
    return events.length === 0 ? undefined : { stream, events: events.map(eventBody), next_cursor: null };
  }
  const found = await read(log, stream, { from, ...(limit !== undefined && { limit: limit + 1 }) });
  if (found.length === 0 && from === 0) return undefined;
  const shown = found.slice(0, limit);
  const next = found[shown.length];
  return { stream, events: shown.map(eventBody), next_cursor: next ? String(next.revision) : null };
};
