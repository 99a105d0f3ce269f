import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Position } from '../position.ts';
import { ConnectionLost, type EventStore, SeenElsewhere, type StoredEvent } from '../store.ts';
import { type AtItsNode, type Ends, headNeverBack } from './head-never-back.ts';

const at = (n: number): Position => String(n).padStart(8, '0') as Position;

const eventAt = (n: number): StoredEvent => ({ stream: 'deposit-1', position: at(n) }) as StoredEvent;

/** A node whose log holds one event of ours, at 5, and ends as it is told to. */
const nodeOf = (ends: { now: Ends }): AtItsNode => ({
  append: async () => ({ kind: 'appended', revision: 0, position: at(5), hash: undefined }),
  readStream: async function* () {
    yield eventAt(5);
  },
  readAll: async function* () {
    yield [eventAt(5), eventAt(2)];
  },
  follow: async function* () {
    yield { events: [eventAt(2), eventAt(5)], position: at(9) };
  },
  lastRevision: async () => undefined,
  readByStream: async function* () {},
  holds: async () => true,
  misses: async () => false,
  head: async () => ends.now,
  newest: async () => ends.now,
  end: async () => ends.now.place,
  forget: () => undefined,
  close: async () => undefined,
});

const WHOLE = { from: undefined, direction: 'forwards', limit: undefined } as const;
const FOLLOWING = { after: undefined, filter: undefined, batchSize: 10, signal: new AbortController().signal };

const ASKS: readonly (keyof EventStore & ('head' | 'newest' | 'end'))[] = ['head', 'newest', 'end'];

const opened = (now: Ends) => {
  const ends = { now };
  return { ends, store: headNeverBack(nodeOf(ends)) };
};

describe('a node that ends before an event of ours', () => {
  it.each<[string, (store: EventStore) => Promise<unknown>]>([
    ['was written here', (store) => store.append('deposit-1', -1, [])],
    ['was read of its stream', (store) => Array.fromAsync(store.readStream('deposit-1', WHOLE))],
    ['was read of all', (store) => Array.fromAsync(store.readAll({ direction: 'backwards' }))],
    ['was followed', (store) => Array.fromAsync(store.follow(FOLLOWING))],
    ['was the head', (store) => store.head()],
    ['was the newest', (store) => store.newest()],
  ])('answers from its past where that %s', async (_, see) => {
    const { ends, store } = opened({ place: at(7), head: at(5), own: at(5) });
    await see(store);
    ends.now = { place: at(4), head: at(4), own: undefined };
    for (const ask of ASKS) await expect(store[ask]()).rejects.toThrow(ConnectionLost);
    ends.now = { place: at(5), head: at(5), own: at(5) };
    for (const ask of ASKS) expect(await store[ask]()).toBe(at(5));
  });
});

describe('a head that goes back', () => {
  it('is the head where events of others stood behind it, which they may have taken away', async () => {
    const { ends, store } = opened({ place: at(9), head: at(9), own: undefined });
    await store.append('deposit-1', -1, []);
    await Array.fromAsync(store.follow(FOLLOWING));
    for (const ask of ASKS) expect(await store[ask]()).toBe(at(9));
    ends.now = { place: at(5), head: at(5), own: at(5) };
    for (const ask of ASKS) expect(await store[ask]()).toBe(at(5));
  });

  it('is the head where the server has written since behind one of ours that an operator took away', async () => {
    const { ends, store } = opened({ place: at(5), head: at(5), own: at(5) });
    await store.head();
    ends.now = { place: at(8), head: at(2), own: at(2) };
    expect(await store.head()).toBe(at(2));
    expect(await store.end()).toBe(at(8));
  });
});

describe('a node that stays behind what was seen of it', () => {
  const mark = { stream: 'deposit-1', revision: 0, position: at(2), id: 'one' };

  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Its own log was looked at with its last event at 3, then an event of another one was read at 5, and the own one is back. */
  const back = async (end: number) => {
    const { ends, store } = opened({ place: at(4), head: at(3), own: at(3) });
    await store.head();
    await store.holds(mark);
    await store.append('deposit-1', -1, []);
    ends.now = { place: at(end), head: at(2), own: at(2) };
    return store;
  };

  const asked = async (store: EventStore, everyMs: number, times: number): Promise<unknown> => {
    for (let time = 1; time < times; time++) {
      await store.head().catch(() => undefined);
      jest.advanceTimersByTime(everyMs);
    }
    return store.end().catch((error: unknown) => error);
  };

  it('may have been another one, where it holds what stood there and is as long as all that was seen by then', async () => {
    const store = await back(4);
    expect(await asked(store, 1_000, 5)).not.toBeInstanceOf(SeenElsewhere);
    expect(await asked(store, 1_000, 2)).toMatchObject({ name: 'SeenElsewhere', mark });
    store.forget();
    expect(await store.end()).toBe(at(4));
  });

  it('is the same one, which was put back, where it is shorter than what was seen by then', async () => {
    const store = await back(2);
    const told = await asked(store, 1_000, 20);
    expect([told instanceof ConnectionLost, told instanceof SeenElsewhere]).toEqual([true, false]);
  });

  it('lags behind, where it was seldom found so', async () => {
    expect(await asked(await back(4), 30_000, 5)).not.toBeInstanceOf(SeenElsewhere);
  });
});

describe('an append that is answered where something was seen already', () => {
  it('is none on a log that ends before that, as one that came in its place behind the same connection does', async () => {
    const { ends, store } = opened({ place: at(9), head: at(9), own: at(9) });
    await store.head();
    ends.now = { place: at(5), head: at(5), own: at(5) };
    await expect(store.append('deposit-1', -1, [])).rejects.toThrow(ConnectionLost);
  });

  it('is the repeat of one that was written before on a log that goes on behind it', async () => {
    const { store } = opened({ place: at(9), head: at(9), own: at(9) });
    await store.head();
    expect(await store.append('deposit-1', -1, [])).toMatchObject({ kind: 'appended', position: at(5) });
  });
});
