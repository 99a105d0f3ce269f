import { schemaMismatch } from '#door/errors';
import { SentDigits, SentWord } from '#door/fields';
import { numberIn } from '#door/lists';
import { BrokenHistory, type EventLog, type ReadOptions, type RecordedEvent, UnknownSchemaVersion } from '#event-log';
import { type DamageBody, EventsBody, eventBody } from './event-body.ts';

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

type Log = Pick<EventLog, 'read'>;
type Read = Pick<ReadOptions, 'from' | 'asStored'> & { readonly most: number | undefined };
type Found = { readonly events: readonly RecordedEvent[]; readonly damage?: DamageBody };

/**
 * Without a limit for the log, which would not look then whether its end is where it was. What there is comes before it is
 * found to be less than was shown, or something else.
 */
const readOn = async (log: Log, stream: string, { most = Number.POSITIVE_INFINITY, ...read }: Read): Promise<Found> => {
  const events: RecordedEvent[] = [];
  try {
    for await (const event of log.read(stream, read)) {
      events.push(event);
      if (events.length >= most) break;
    }
    return { events };
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
    const next = (events.at(-1)?.revision ?? (read.from ?? 0) - 1) + 1;
    return { events, damage: { revision: error.revision ?? next, problem: error.message } };
  }
};

/** In the newest shape, unless one is newer than this release: then all are shown as they are stored. */
const inNewestShape = async (log: Log, stream: string, read: Read): Promise<Found> => {
  try {
    return await readOn(log, stream, read);
  } catch (error) {
    if (error instanceof UnknownSchemaVersion) return asStored(log, stream, read);
    throw error;
  }
};

const asStored = (log: Log, stream: string, read: Read): Promise<Found> =>
  readOn(log, stream, { ...read, asStored: true });

const refuseBeside = (query: EventsQuery): void => {
  const beside = (['cursor', 'limit'] as const).filter((name) => query[name] !== undefined);
  if (beside.length > 0)
    throw schemaMismatch(beside.map((name) => ({ path: [name], message: 'cannot be sent together with newest' })));
};

/** Where the newest so many begin: a long history is looked at from its end. Of one that has lost its end, from the first. */
const beginOf = async (log: Log, stream: string, newest: number): Promise<number> => {
  try {
    const read = { direction: 'backwards', limit: Math.max(newest, 1), asStored: true } as const;
    return (await Array.fromAsync(log.read(stream, read))).at(-1)?.revision ?? 0;
  } catch (error) {
    if (error instanceof BrokenHistory) return 0;
    throw error;
  }
};

/**
 * A page of a stream; undefined where there is none, and was none. From a revision on, and so unproven: an auditor has to
 * be shown a history that is broken, too, with what is wrong with it.
 */
export const historyOf = async (log: Log, stream: string, query: EventsQuery): Promise<EventsBody | undefined> => {
  const [limit, newest] = [numberIn(query.limit), numberIn(query.newest)];
  const read = query.raw === 'true' ? asStored : inNewestShape;
  if (newest !== undefined) refuseBeside(query);
  const from = newest === undefined ? (numberIn(query.cursor) ?? 0) : await beginOf(log, stream, newest);
  const { events, damage } = await read(log, stream, { from, most: limit === undefined ? undefined : limit + 1 });
  if (events.length === 0 && from === 0 && !damage) return undefined;
  const shown = newest === undefined ? events.slice(0, limit) : events.slice(-Math.max(newest, 1));
  const next = newest === undefined ? events[shown.length] : undefined;
  return {
    ...{ stream, events: shown.map(eventBody), next_cursor: next ? String(next.revision) : null },
    ...(damage && { damage }),
  };
};
