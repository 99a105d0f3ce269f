import { type PreparedEvent, prepareAppend } from './append-request.ts';
import { InvalidAppend, OutcomeUnknown, unavailable, WrongExpectedRevision } from './errors.ts';
import { seal } from './hash-chain.ts';
import { type Heads, headOf } from './heads.ts';
import { type Patience, persist } from './persistence.ts';
import type { Appended, ExpectedRevision, NewEvent } from './port.ts';
import {
  type ConnectionLost,
  type EventStore,
  type EventToStore,
  NOTHING,
  NotAsked,
  type StoredEvent,
  WritesRefused,
} from './store.ts';
import type { Takes } from './takes.ts';

type Parts = {
  readonly store: EventStore;
  readonly heads: Heads;
  readonly patience: Patience;
  readonly takes: Takes;
};

/** How far back a loose append looks for itself: enough for a repeat after a lost answer, not a promise for ever. */
const REPEAT_WINDOW = 64;

/** A loose append that lost this many races in a row is refused; each loss means that another writer got on. */
const MAX_RACES = 200;

export const chain = (stream: string, after: number, prevHash: string | null, events: readonly PreparedEvent[]) => {
  let previous = prevHash;
  return events.map((event, i): EventToStore => {
    const metadata = seal(stream, after + 1 + i, previous, event);
    previous = metadata.hash;
    return { id: event.id, type: event.type, data: event.data, metadata };
  });
};

const isUnwritten = (error: unknown): boolean => error instanceof WritesRefused || error instanceof NotAsked;

/** One try at one place. Repeats that place with the same ids as long as the answer is lost. */
const appendBehind = async (
  { store, patience, takes }: Parts,
  stream: string,
  after: { readonly revision: number; readonly hash: string | null },
  events: readonly PreparedEvent[],
) => {
  const sealed = chain(stream, after.revision, after.hash, events);
  let isUnknown = false;
  const giveUp = (cause: ConnectionLost): Error => {
    if (isUnknown) return new OutcomeUnknown(stream, patience.withinMs, cause);
    return cause instanceof WritesRefused ? takes.refused(cause) : unavailable(cause);
  };
  const append = async () => {
    try {
      const outcome = await store.append(stream, after.revision, sealed);
      takes.taken();
      return outcome;
    } catch (error) {
      isUnknown ||= !isUnwritten(error);
      if (error instanceof WritesRefused && takes.isRefusing() && !isUnknown) throw takes.refused(error);
      throw error;
    }
  };
  takes.check();
  return persist(`append to ${stream}`, append, patience, giveUp);
};

const appendAt = async (
  parts: Parts,
  stream: string,
  expected: number | 'no_stream',
  events: readonly PreparedEvent[],
): Promise<Appended> => {
  const revision = expected === 'no_stream' ? NOTHING : expected;
  const place = await parts.heads.at(stream, revision);
  if (place === undefined) throw new WrongExpectedRevision(stream, expected, headOf(await parts.heads.last(stream)));
  const outcome = await appendBehind(parts, stream, place, events);
  if (outcome.kind === 'conflict') throw new WrongExpectedRevision(stream, expected, outcome.actual);
  return outcome;
};

/**
 * The first answer again, when these very events are among the stream's last ones. Some of them, or in another order, is
 * a conflict, as it is at a revision: an id stands in its stream once.
 */
const earlierAnswer = (
  recent: readonly StoredEvent[],
  events: readonly PreparedEvent[],
): Appended | 'conflict' | undefined => {
  const ids = new Set(events.map((event) => event.id));
  const known = recent.filter((event) => ids.has(event.id));
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const start = recent.findIndex((event) => event.id === events[0]?.id);
  const isWhole = start >= 0 && events.every((event, i) => recent[start + i]?.id === event.id);
  return isWhole ? { revision: last.revision, position: last.position } : 'conflict';
};

/** `any` and `stream_exists`: takes the stream where it stands, as often as others are faster. */
const appendLoosely = async (
  parts: Parts,
  stream: string,
  expected: 'any' | 'stream_exists',
  events: readonly PreparedEvent[],
): Promise<Appended> => {
  for (let race = 0; race < MAX_RACES; race++) {
    const recent = await parts.heads.recent(stream, REPEAT_WINDOW + events.length);
    const last = recent.at(-1);
    if (last === undefined && expected === 'stream_exists')
      throw new WrongExpectedRevision(stream, expected, 'no_stream');
    const earlier = earlierAnswer(recent, events);
    if (earlier === 'conflict') throw new WrongExpectedRevision(stream, expected, headOf(last));
    if (earlier) return earlier;
    const place = last ? { revision: last.revision, hash: last.metadata.hash } : { revision: NOTHING, hash: null };
    const outcome = await appendBehind(parts, stream, place, events);
    if (outcome.kind === 'appended') return outcome;
  }
  throw new WrongExpectedRevision(stream, expected, headOf(await parts.heads.last(stream)));
};

export const createAppend =
  (parts: Parts) =>
  async (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> => {
    const prepared = prepareAppend(stream, events);
    if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0))
      throw new InvalidAppend(`stream ${stream}: ${expected} is not a revision`);
    const { revision, position } =
      expected === 'any' || expected === 'stream_exists'
        ? await appendLoosely(parts, stream, expected, prepared)
        : await appendAt(parts, stream, expected, prepared);
    return { revision, position };
  };
