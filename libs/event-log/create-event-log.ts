import { createAppend } from './append.ts';
import { BrokenHistory, unavailable } from './errors.ts';
import { withFeed } from './feed.ts';
import { createHeads } from './heads.ts';
import { createLacked, hearing } from './lacked.ts';
import { createOutage, type Outage } from './outage.ts';
import { type Patience, persist } from './persistence.ts';
import type { EventLog, ReadAllOptions, ReadOptions, RecordedEvent } from './port.ts';
import { provenPages } from './proven.ts';
import { readAll, readStream } from './read.ts';
import { asFarAsShown, asStored, shownAs } from './recorded.ts';
import { neverBack, type SeenOptions } from './seen.ts';
import type { EventStore, StoredEvent } from './store.ts';
import { createSubscriptions } from './subscribe.ts';
import { createTakes } from './takes.ts';
import { asItIs, createUpcast, type KnownEvents } from './upcasting.ts';
import { wholeStream } from './whole-stream.ts';

export type EventLogOptions = {
  /** Default: nothing is known, and every event is given as it is stored. */
  readonly known?: KnownEvents;
  /** How long a call waits for a log that does not answer; default 10 s. */
  readonly patienceMs?: number;
  /** How long a stream may be behind what was seen of it before its history is taken for broken; default 3 s. */
  readonly pastMs?: number;
  /** How far somebody knows a stream who keeps that longer than this process lives. */
  readonly remembered?: SeenOptions['remembered'];
  /** Told of every lost connection and repeat. */
  readonly onTrouble?: Patience['onTrouble'];
  /** Settles once the log is known to be the one that it was; throws `ConnectionLost` while it is not. */
  readonly isOurs?: () => Promise<void>;
  /** Told of each event that the log gave and was found not to hold. */
  readonly onLacked?: () => void;
  /** Told whenever history turns out to be other than it was written. */
  readonly onBroken?: (error: BrokenHistory, stream: string) => void;
  /** Told of each stream that was read and proven from its beginning to its end. */
  readonly onWhole?: (stream: string) => void;
};

export type AskableLog = EventLog & { readonly whileAnswering: Outage['guardAsking'] };

const DEFAULT_PATIENCE_MS = 10_000;

export const patienceOf = ({
  patienceMs = DEFAULT_PATIENCE_MS,
  onTrouble = () => undefined,
}: EventLogOptions): Patience => ({ withinMs: patienceMs, onTrouble });

/** Whoever reads a stream from its beginning to its end builds on it. */
const isWhole = ({ from, direction = 'forwards', limit }: ReadOptions): boolean =>
  from === undefined && direction === 'forwards' && limit === undefined;

async function* telling<T>(
  events: AsyncIterable<T>,
  onBroken: (error: BrokenHistory) => void,
  onEnd: () => void,
): AsyncGenerator<T> {
  try {
    yield* events;
    onEnd();
  } catch (error) {
    if (error instanceof BrokenHistory) onBroken(error);
    throw error;
  }
}

async function* shown(
  events: AsyncIterable<StoredEvent>,
  show: (event: StoredEvent) => RecordedEvent,
): AsyncGenerator<RecordedEvent> {
  for await (const event of events) yield show(event);
}

async function* shownPages(
  pages: AsyncIterable<readonly StoredEvent[]>,
  show: (event: StoredEvent) => RecordedEvent,
): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const page of pages) {
    const { events, refusal } = asFarAsShown(page, show);
    if (events.length > 0) yield events;
    if (refusal) throw refusal.cause;
  }
}

async function* flat<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}

/** Puts the promises of the port on top of a store. */
export const createEventLog = (bare: EventStore, options: EventLogOptions = {}): AskableLog => {
  const patience = patienceOf(options);
  const upcast = options.known ? createUpcast(options.known) : asItIs;
  const { onBroken = () => undefined, onWhole = () => undefined, onLacked, isOurs = async () => undefined } = options;
  const seen = neverBack(bare, options);
  bare.whenExchanged?.(seen.store.forget);
  const lacked = createLacked(seen.store, onLacked);
  const store = hearing(seen.store, lacked);
  const heads = createHeads(seen, patience);
  const parts = { store, heads, patience, upcast, onTrouble: patience.onTrouble };
  const subscriptions = createSubscriptions({ ...parts, store: withFeed(store), isOurs, onLacked: lacked.tell });
  const outage = createOutage(store);
  const append = createAppend({ ...parts, takes: createTakes() });
  const stored = (stream: string, read: ReadOptions): AsyncIterable<StoredEvent> => {
    const tell = (error: BrokenHistory): void => onBroken(error, stream);
    return isWhole(read)
      ? telling(wholeStream(seen, patience, stream), tell, () => onWhole(stream))
      : telling(readStream(store, patience, stream, read), tell, () => undefined);
  };
  const pages = ({ asStored: raw = false, prove, ...read }: ReadAllOptions = {}) =>
    outage.guardRead(() => shownPages(readAll(store, patience, read), raw ? asStored : shownAs(upcast, prove)));
  let closed: Promise<void> | undefined;
  return {
    append: (...asked) => outage.guard(() => append(...asked)),
    read: (stream, { asStored: raw = false, ...read } = {}) =>
      outage.guardRead(() => shown(stored(stream, read), raw ? asStored : shownAs(upcast, undefined))),
    lastRevision: (stream) =>
      outage.guard(() => persist(`end of ${stream}`, () => store.lastRevision(stream), patience, unavailable)),
    readAll: (asked) => flat(pages(asked)),
    readPages: pages,
    subscribe: subscriptions.subscribe,
    readByStream: (asked = {}) => outage.guardRead(() => provenPages(store, patience, upcast, asked)),
    head: () => outage.guard(() => persist('head', store.head, patience, unavailable)),
    holds: (mark) => outage.guard(() => persist('place', () => store.holds(mark), patience, unavailable)),
    misses: (mark) => outage.guard(() => persist('place', () => store.misses(mark), patience, unavailable)),
    lacked: lacked.tell,
    end: () => outage.guard(() => persist('end', store.end, patience, unavailable)),
    newest: () => outage.guard(() => persist('newest', store.newest, patience, unavailable)),
    whileAnswering: outage.guardAsking,
    close: () => {
      outage.end();
      lacked.end();
      closed ??= subscriptions.stopAll().then(store.close);
      return closed;
    },
  };
};
