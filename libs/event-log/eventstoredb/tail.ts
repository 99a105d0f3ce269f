import { UnknownError } from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import { together } from '#platform/together';
import { isBefore, type Position } from '../position.ts';
import { createRecent } from '../recent.ts';
import type { StoredBatch, StoredEvent } from '../store.ts';
import type { Ends } from './head-never-back.ts';
import { type Behind, endsOfAll, type Page, type PageBehind, pageBehind } from './read-all.ts';
import { createRoom, type Room } from './room.ts';

/** Past so many pages it is cheaper to begin anew. */
const MOST_PAGES = 4;
const PAGE = 500;

const KEPT_ENDS = 20_000;

/** Events of whole streams; one longer than `LONG` is read when it is asked for. */
const [KEPT_EVENTS, LONG] = [4_000, 64];

/**
 * The end of the log, read by one call for all who ask at the same moment: a call for each costs this process most of a
 * millisecond, whatever it brings. What is known of a stream at the end of what was read is what holds there, since every
 * event passes here; of other streams nothing is known.
 */
export type Tail = {
  /** Undefined: nothing is known, ask the server. */
  readonly lastRevision: (stream: string) => Promise<number | undefined>;
  readonly history: (stream: string) => Promise<readonly StoredEvent[] | undefined>;
  readonly newest: () => Promise<Ends>;
  /** One batch behind a place; undefined where nothing lies there. */
  readonly behind: (after: Position | undefined, most: number, room: Room) => Promise<StoredBatch | undefined>;
  /** What a subscription brings next behind a place. */
  readonly came: (from: Position | undefined, page: Page) => void;
  /** Takes what the server answers, unless more has come meanwhile than it may know. */
  readonly learning: () => Promise<Learn>;
  readonly forget: () => void;
};

export type Following = Behind & { readonly tail: Tail };

export type Learn = {
  readonly end: (stream: string, revision: number) => void;
  readonly history: (stream: string, events: readonly StoredEvent[]) => void;
};

type Known = ReturnType<typeof begin>;

const NOWHERE: Ends = { place: undefined, head: undefined, own: undefined };

const begin = (ends: Ends) => ({
  recent: createRecent(ends.place),
  newest: ends,
  ends: new LRUCache<string, number>({ max: KEPT_ENDS }),
  histories: new LRUCache<string, readonly StoredEvent[]>({
    maxSize: KEPT_EVENTS,
    sizeCalculation: ({ length }) => Math.max(1, length),
  }),
});

const take = ({ ends, histories }: Pick<Known, 'ends' | 'histories'>, event: StoredEvent): void => {
  const { stream, revision } = event;
  ends.set(stream, Math.max(revision, ends.peek(stream) ?? revision));
  const before = revision === 0 ? [] : histories.peek(stream);
  if (before?.length === revision && revision < LONG) histories.set(stream, [...before, event]);
  else histories.delete(stream);
};

/** What is known already is passed over: a page and a subscription may bring the same. */
const takePage = ({ recent, ...known }: Known, { events: all, touched, position }: Page): readonly StoredEvent[] => {
  const to = recent.to();
  if (position === undefined || !isBefore(to, position)) return [];
  const events = all.filter((event) => isBefore(to, event.position));
  for (const event of events) take(known, event);
  for (const stream of touched) {
    known.ends.delete(stream);
    known.histories.delete(stream);
  }
  recent.keep({ events, position });
  return events;
};

export const createTail = (log: Behind): Tail => {
  const ownRoom = createRoom();
  let known: Known | undefined;

  /**
   * Undefined where it is not behind what is known: the server has lost that, or is another one. Where no record begins it
   * answers by an error that says no more than that something went wrong: here it costs a beginning anew, whatever it was.
   * Who follows hears it as it is, and asks again: taken for another log, it would stop him.
   */
  const pageAfter = async (from: Known): Promise<PageBehind | undefined> => {
    try {
      const page = await pageBehind(log, from.recent.to(), PAGE, ownRoom);
      return page.isBehind ? page : undefined;
    } catch (error) {
      if (error instanceof UnknownError) return undefined;
      throw error;
    }
  };

  /** False where it is not worth it, or the server has lost what was there. */
  const goOn = async (from: Known): Promise<boolean> => {
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await pageAfter(from);
      if (!page) return false;
      const events = takePage(from, page);
      log.pace.came(events);
      if (events.length > 0) log.pace.ring();
      if (!page.isFull) return true;
    }
    return false;
  };

  /** Until all that was written before the call is known of the streams that are. */
  const caughtUp = together(async (asked: readonly undefined[]) => {
    const from = known;
    if (!from || !(await goOn(from)) || known !== from) {
      known = begin(await endsOfAll(log.connection, log.ownership));
    }
    return asked;
  });

  /** What is not known yet may be by then; it is asked for at once where nobody else asks. */
  const ask = async <T>(kept: (known: Known) => T | undefined): Promise<T | undefined> => {
    if (!known || (kept(known) === undefined && !log.pace.isFast())) return undefined;
    await caughtUp(undefined);
    return known && kept(known);
  };

  const behind: Tail['behind'] = async (after, most, room) => {
    const isAtHand = (): boolean => known !== undefined && !isBefore(after, known.recent.from());
    const atHand = () => known?.recent.behind(after, { batchSize: most, filter: undefined });
    if (isAtHand()) {
      const batch = atHand();
      if (batch) return batch;
      await caughtUp(undefined);
      if (isAtHand()) return atHand();
    }
    const { events, position } = await pageBehind(log, after, most, room);
    return position && { events, position };
  };

  return {
    behind,
    lastRevision: (stream) => ask(({ ends }) => ends.get(stream)),
    history: (stream) => ask(({ histories }) => histories.get(stream)),
    newest: async () => {
      await caughtUp(undefined);
      if (!known) return NOWHERE;
      const own = known.recent.last();
      return { ...known.newest, place: known.recent.to(), ...(own && { head: own, own }) };
    },
    came: (from, page) => {
      if (known && !isBefore(known.recent.to(), from)) takePage(known, page);
    },
    learning: async () => {
      if (!known) await caughtUp(undefined);
      const then = known;
      const isNews = (stream: string, last: number): boolean =>
        known !== undefined && known === then && (known.ends.peek(stream) ?? last) <= last;
      return {
        end: (stream, revision) => {
          if (isNews(stream, revision)) known?.ends.set(stream, revision);
        },
        history: (stream, events) => {
          if (events.length > 0 && events.length <= LONG && isNews(stream, events.length - 1)) {
            known?.ends.set(stream, events.length - 1);
            known?.histories.set(stream, events);
          }
        },
      };
    },
    forget: () => {
      known = undefined;
    },
  };
};
