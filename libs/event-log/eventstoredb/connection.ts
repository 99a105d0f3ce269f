import { BACKWARDS, END, EventStoreDBClient } from '@eventstore/db-client';
import { endsWithin } from '#platform/pause';
import { ConnectionLost } from '../store.ts';
import { createReached } from './reached.ts';
import { type Reading, type Taken, type Taking, type Weight, wholePage } from './whole-page.ts';

/**
 * Longer than an election lets a living leader be silent. Behind it the client is thrown away: one whose node is frozen
 * stays with that node for as long as it sleeps, whatever the deadline of its calls, and its reads have none.
 */
const SILENCE_MS = 3_000;

/**
 * Of one call, while a heavy page comes over the connection that it shares. Behind it that call alone is given up. What
 * other calls hear says nothing: a client that is told who leads goes on there, and leaves those behind that asked before.
 */
const OWN_SILENCE_MS = 10_000;

/** A process that was itself too busy to listen first hears what has come meanwhile. */
const SECOND_LOOK_MS = 100;

/** How often a process asks that only follows: a subscription to a frozen node never ends by itself. */
const ASK_EVERY_MS = 5_000;

/** The client waits for streams that died with their connection, some of them for ever. */
const MOST_PATIENCE_MS = 2_000;

/** In seconds. A dead node is asked as long as this before the next one of a cluster is. */
const GOSSIP_TIMEOUT = 'gossipTimeout=1';

const impatient = (url: string): string =>
  /[?&]gossipTimeout=/i.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}${GOSSIP_TIMEOUT}`;

export type Lasting = { readonly client: EventStoreDBClient; readonly gone: AbortSignal; readonly end: () => void };

export type Connection = {
  /** One call: without a sign of life for too long it ends as lost, and its client with it. */
  readonly call: <T>(work: (client: EventStoreDBClient) => Promise<T>) => Promise<T>;
  /** One read to its end. */
  readonly page: <T>(read: (client: EventStoreDBClient) => Reading<T>) => Promise<readonly T[]>;
  /** One read to its end, or to where it is enough. */
  readonly pageUntil: <T, R>(
    read: (client: EventStoreDBClient) => Reading<T>,
    taking: Taking<T, R>,
  ) => Promise<Taken<R>>;
  /** Grows whenever what is asked next may come to another server than what was answered before. */
  readonly reached: () => number;
  /** For what goes on: the client of now, and the news that it was thrown away. */
  readonly lasting: () => Lasting;
  readonly close: () => Promise<void>;
};

class Silence extends ConnectionLost {}

type Current = {
  readonly client: EventStoreDBClient;
  readonly thrownAway: AbortController;
  /** When a page heard of it that keeps its other calls waiting. */
  heavyAt: number;
};

type Silences = {
  readonly heard: (weight: Weight) => void;
  readonly silent: Promise<never>;
  readonly over: () => void;
};

const untilSilent = (one: Current): Silences => {
  const { promise, reject } = Promise.withResolvers<never>();
  let heardAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let isSecondLook = false;
  const look = (): void => {
    const now = performance.now();
    const [ofAll, own] = [now - Math.max(heardAt, one.heavyAt), now - heardAt];
    const left = Math.min(SILENCE_MS - ofAll, OWN_SILENCE_MS - own);
    if (left <= 0 && isSecondLook) {
      if (ofAll >= SILENCE_MS) reject(new Silence(`EventStoreDB: no sign of life for ${SILENCE_MS} ms`));
      else reject(new ConnectionLost(`EventStoreDB: no answer for ${OWN_SILENCE_MS} ms, while others had theirs`));
      return;
    }
    isSecondLook = left <= 0;
    timer = setTimeout(look, isSecondLook ? SECOND_LOOK_MS : Math.ceil(left));
  };
  timer = setTimeout(look, SILENCE_MS);
  const heard = (weight: Weight): void => {
    heardAt = performance.now();
    if (weight !== 'light') one.heavyAt = heardAt;
  };
  return { heard, silent: promise, over: () => clearTimeout(timer) };
};

const newestOfAll = (client: EventStoreDBClient) =>
  client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true });

export const connectTo = (url: string): Connection => {
  const reached = createReached();
  const make = (): Current => {
    const client = EventStoreDBClient.connectionString(impatient(url));
    reached.watch(client);
    return { client, thrownAway: new AbortController(), heavyAt: Number.NEGATIVE_INFINITY };
  };
  let current = make();
  let lastingOnes = 0;
  let asking: NodeJS.Timeout | undefined;

  const throwAway = (one: Current): void => {
    if (one !== current) return;
    current = make();
    one.thrownAway.abort();
    void one.client.dispose().catch(() => undefined);
  };

  const bounded = async <T>(one: Current, work: (heard: Silences['heard']) => Promise<T>): Promise<T> => {
    const { heard, silent, over } = untilSilent(one);
    const answer = work(heard);
    try {
      return await Promise.race([answer, silent]);
    } catch (error) {
      if (error instanceof Silence) throwAway(one);
      throw error;
    } finally {
      over();
      // What comes after its end is nobody's any more.
      answer.catch(() => undefined);
    }
  };

  const call: Connection['call'] = (work) => {
    const one = current;
    return bounded(one, () => work(one.client));
  };

  const pageUntil: Connection['pageUntil'] = async (read, taking) => {
    const one = current;
    const taken = await bounded(one, (heard) => wholePage(read(one.client), heard, taking));
    // The reads of a client that is thrown away under them end as if there were no more.
    if (one.thrownAway.signal.aborted)
      throw new ConnectionLost('EventStoreDB: the connection was given up under a read');
    return taken;
  };

  const page = async <T>(read: (client: EventStoreDBClient) => Reading<T>): Promise<readonly T[]> => {
    const { items } = await pageUntil(read, { keep: (item: T) => item, weigh: () => 'light' });
    return items;
  };

  return {
    call,
    page,
    pageUntil,
    reached: reached.times,
    lasting: () => {
      lastingOnes += 1;
      asking ??= setInterval(() => void page(newestOfAll).catch(() => undefined), ASK_EVERY_MS).unref();
      const { client, thrownAway } = current;
      const end = (): void => {
        lastingOnes -= 1;
        if (lastingOnes > 0) return;
        clearInterval(asking);
        asking = undefined;
      };
      return { client, gone: thrownAway.signal, end };
    },
    close: async () => {
      clearInterval(asking);
      await endsWithin(current.client.dispose(), MOST_PATIENCE_MS);
    },
  };
};
