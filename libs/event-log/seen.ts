import { LRUCache } from 'lru-cache';
import { BrokenHistory, LogUnavailable } from './errors.ts';
import { createSince } from './since.ts';
import { ConnectionLost, type EventStore, NOTHING, type ReadStreamOptions, type StoredEvent } from './store.ts';

/** `hash` is undefined where the store did not say it. */
export type SeenPlace = {
  readonly revision: number;
  readonly hash: string | undefined;
  /** Which time it was that somebody accepted an end of the stream before what was seen. */
  readonly accepted?: string | undefined;
};

export type Seen = {
  /** The furthest of a stream that was read or written here; undefined where nothing is remembered. */
  readonly of: (stream: string) => SeenPlace | undefined;
  /** Whether what was known of it then has been given up since, which is heard of here now. */
  readonly isGivenUp: (stream: string, known: SeenPlace | undefined) => Promise<boolean>;
  /** The store, whose answers do not go back behind that. */
  readonly store: EventStore;
};

export type SeenOptions = {
  readonly pastMs?: number | undefined;
  /** How far somebody else knows a stream, who keeps it longer than a process lives. */
  readonly remembered?: ((stream: string) => Promise<SeenPlace | undefined>) | undefined;
};

const KEPT_STREAMS = 20_000;

const revisionOf = (place: SeenPlace | undefined): number => place?.revision ?? NOTHING;

/** What was not read, or has no hash, contradicts nothing. */
const isAt = ({ hash }: SeenPlace, read: string | undefined): boolean => (hash ?? read) === (read ?? hash);

/** A leader that wakes thinks for about two seconds that it still leads. */
const PAST_MS = 3_000;

/**
 * What this process has once seen of a stream cannot shrink. A node of a cluster may show a stream as it was, and refuse
 * right appends, for a moment: such an answer is none, and asked for again. A stream that stays behind has lost events.
 */
export const neverBack = (
  store: EventStore,
  { pastMs = PAST_MS, remembered = async () => undefined }: SeenOptions = {},
): Seen => {
  const places = new LRUCache<string, SeenPlace>({ max: KEPT_STREAMS });
  const behind = new LRUCache<string, ReturnType<typeof createSince>>({ max: KEPT_STREAMS });

  const see = (stream: string, { revision, hash }: Omit<SeenPlace, 'accepted'>): void => {
    if (revisionOf(places.get(stream)) < revision)
      places.set(stream, { revision, hash, accepted: places.get(stream)?.accepted });
  };

  /**
   * What was seen before it ended where that was accepted counts no more; whatever is seen from then on does. Another
   * reader may have heard of it first: whether that is news is asked of what this one knew when it began.
   */
  const giveUp = (stream: string, accepted: string | undefined, known: SeenPlace | undefined): boolean => {
    if (accepted === undefined) return false;
    if (places.get(stream)?.accepted !== accepted) places.set(stream, { revision: NOTHING, hash: undefined, accepted });
    return known?.accepted !== accepted;
  };

  const fromThePast = (stream: string, end: number, seen: number): Error => {
    const what = `stream ${stream}: it ends before revision ${end + 1}, and was seen up to ${seen}`;
    const since = behind.get(stream) ?? createSince();
    behind.set(stream, since);
    return since.forMs() < pastMs ? new ConnectionLost(what) : new BrokenHistory(what, { revision: end + 1 });
  };

  const recall = async (stream: string): Promise<SeenPlace | undefined> => {
    try {
      return await remembered(stream);
    } catch (cause) {
      throw new LogUnavailable(`stream ${stream}: how far it was seen before cannot be asked now`, { cause });
    }
  };

  const isGivenUp = async (stream: string, known: SeenPlace | undefined): Promise<boolean> =>
    giveUp(stream, (await recall(stream))?.accepted, known);

  /** An end that was given stands where it was seen, or further on. */
  const check = async (
    stream: string,
    end: number,
    known: SeenPlace | undefined,
    elsewhere = NOTHING,
  ): Promise<void> => {
    const seen = revisionOf(known);
    if (end < elsewhere || (end < seen && !(await isGivenUp(stream, known))))
      throw fromThePast(stream, end, Math.max(seen, elsewhere));
    behind.delete(stream);
  };

  const checkHash = (
    stream: string,
    place: SeenPlace | undefined,
    readAt: (revision: number) => string | undefined,
  ): void => {
    if (place === undefined || isAt(place, readAt(place.revision))) return;
    const { revision } = place;
    throw new BrokenHistory(`stream ${stream}, revision ${revision}: it is another event than was seen before`, {
      revision,
    });
  };

  async function* forwards(stream: string, options: ReadStreamOptions): AsyncGenerator<StoredEvent> {
    const { from = 0, limit = Number.POSITIVE_INFINITY } = options;
    const known = places.get(stream);
    // Asked beside the read, and of the end alone.
    const asked = limit === Number.POSITIVE_INFINITY ? recall(stream) : undefined;
    asked?.catch(() => undefined);
    const hashes: string[] = [];
    let [given, last] = [0, from - 1];
    for await (const event of store.readStream(stream, options)) {
      see(stream, { revision: event.revision, hash: event.metadata.hash });
      [given, last] = [given + 1, event.revision];
      hashes.push(event.metadata.hash);
      yield event;
    }
    const place = await asked;
    const isNews = giveUp(stream, place?.accepted, known);
    if (isNews && given > 0) see(stream, { revision: last, hash: hashes.at(-1) });
    if (given < limit) await check(stream, last, isNews ? undefined : known, place?.revision);
    checkHash(stream, place, (revision) => hashes[revision - from]);
  }

  async function* fromTheEnd(stream: string, options: ReadStreamOptions): AsyncGenerator<StoredEvent> {
    const known = places.get(stream);
    let newest = NOTHING;
    for await (const event of store.readStream(stream, options)) {
      newest = Math.max(newest, event.revision);
      await check(stream, newest, known);
      see(stream, { revision: event.revision, hash: event.metadata.hash });
      yield event;
    }
    await check(stream, newest, known);
  }

  return {
    of: (stream) => places.get(stream),
    isGivenUp,
    store: {
      ...store,
      forget: () => {
        places.clear();
        behind.clear();
        store.forget();
      },
      append: async (stream, after, events) => {
        // As of when it was sent: a neighbour may append meanwhile what the refusal of this one knew nothing of.
        const known = places.get(stream);
        const outcome = await store.append(stream, after, events);
        if (outcome.kind === 'appended') see(stream, outcome);
        else await check(stream, outcome.actual === 'no_stream' ? NOTHING : outcome.actual, known);
        return outcome;
      },
      lastRevision: async (stream) => {
        const known = places.get(stream);
        const last = await store.lastRevision(stream);
        await check(stream, last ?? NOTHING, known);
        return last;
      },
      readStream: (stream, options) => {
        if (options.direction === 'forwards') return forwards(stream, options);
        return options.from === undefined ? fromTheEnd(stream, options) : store.readStream(stream, options);
      },
    },
  };
};
