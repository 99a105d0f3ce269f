import { describe, expect, it } from '@jest/globals';
import { BrokenHistory } from './errors.ts';
import { type AtItsNode, type Ends, headNeverBack } from './eventstoredb/head-never-back.ts';
import type { Position } from './position.ts';
import { neverBack } from './seen.ts';
import { ConnectionLost, type EventStore, type StoredEvent } from './store.ts';

const positionOf = (n: number): Position => String(n).padStart(8, '0') as Position;

const eventAt = (revision: number): StoredEvent =>
  ({
    stream: 'deposit-1',
    revision,
    position: positionOf(revision),
    id: `e${revision}`,
    metadata: { hash: `${revision}` },
  }) as StoredEvent;

const endsAt = (length: number): Ends => {
  const own = length === 0 ? undefined : positionOf(length - 1);
  return { place: own, head: own, own };
};

/** A node that shows as much of one stream as it is told to. */
const nodeThatShows = (shown: { length: number }): AtItsNode => ({
  lastRevision: async () => (shown.length === 0 ? undefined : shown.length - 1),
  holds: async () => false,
  misses: async () => false,
  forget: () => undefined,
  end: async () => endsAt(shown.length).place,
  newest: async () => endsAt(shown.length),
  append: async (_stream, after, events) => {
    if (after !== shown.length - 1) return { kind: 'conflict', actual: shown.length - 1 };
    shown.length += events.length;
    const revision = shown.length - 1;
    return { kind: 'appended', revision, position: positionOf(revision), hash: undefined };
  },
  readStream: async function* (_stream, { from, direction, limit = Number.POSITIVE_INFINITY }) {
    const whole = Array.from({ length: shown.length }, (_, n) => eventAt(n));
    const ordered =
      direction === 'forwards' ? whole.slice(from ?? 0) : whole.slice(0, (from ?? shown.length) + 1).reverse();
    yield* ordered.slice(0, limit);
  },
  readAll: async function* () {},
  follow: async function* () {},
  readByStream: async function* () {},
  head: async () => endsAt(shown.length),
  close: async () => undefined,
});

const forwards = { from: undefined, direction: 'forwards', limit: undefined } as const;
const last = { from: undefined, direction: 'backwards', limit: 1 } as const;

const seenUpTo = async (length: number, pastMs?: number) => {
  const shown = { length };
  const { store } = neverBack(headNeverBack(nodeThatShows(shown)), { pastMs });
  await Array.fromAsync(store.readStream('deposit-1', forwards));
  return { shown, store };
};

describe('an answer from the past of a node', () => {
  it.each([
    ['a stream', (store: EventStore) => Array.fromAsync(store.readStream('deposit-1', forwards))],
    [
      'the rest of a stream',
      (store: EventStore) => Array.fromAsync(store.readStream('deposit-1', { ...forwards, from: 2 })),
    ],
    ['the end of a stream', (store: EventStore) => Array.fromAsync(store.readStream('deposit-1', last))],
    ['the head', (store: EventStore) => store.head()],
    ['a refusal', (store: EventStore) => store.append('deposit-1', 3, [])],
  ])('is none: %s', async (_, ask) => {
    const { shown, store } = await seenUpTo(4);
    for (const length of [3, 0]) {
      shown.length = length;
      await expect(ask(store)).rejects.toThrow(ConnectionLost);
    }
    shown.length = 4;
    await expect(ask(store)).resolves.toBeDefined();
  });

  it('is none either after an append that was answered', async () => {
    const { shown, store } = await seenUpTo(1);
    await store.append('deposit-1', 0, [{ id: 'x', type: 'X', data: '{}', metadata: {} as never }]);
    shown.length = 1;
    await expect(Array.fromAsync(store.readStream('deposit-1', forwards))).rejects.toThrow(ConnectionLost);
  });

  it('is not to be confused with a part that was asked for, or with a stream that nobody saw', async () => {
    const { store } = await seenUpTo(4);
    expect(await Array.fromAsync(store.readStream('deposit-1', { ...forwards, limit: 2 }))).toHaveLength(2);
    expect(await Array.fromAsync(store.readStream('deposit-1', { ...forwards, from: 4 }))).toEqual([]);
    expect(await Array.fromAsync(store.readStream('deposit-1', { ...last, from: 1 }))).toMatchObject([{ revision: 1 }]);
    expect(await store.append('deposit-1', 1, [])).toMatchObject({ kind: 'conflict', actual: 3 });
  });

  it('is broken history when it goes on, of that stream alone', async () => {
    const { shown, store } = await seenUpTo(4, 0);
    shown.length = 3;
    const read = Array.fromAsync(store.readStream('deposit-1', forwards));
    await expect(read).rejects.toThrow(BrokenHistory);
    await expect(read).rejects.toThrow('deposit-1: it ends before revision 3, and was seen up to 3');
    expect(await Array.fromAsync(store.readStream('deposit-2', forwards))).toHaveLength(3);
  });
});

it('a refusal that was judged before another append of this process was answered is no answer from the past', async () => {
  const judged = Promise.withResolvers<void>();
  const shown = { length: 5 };
  const node = nodeThatShows(shown);
  const { store } = neverBack({
    ...headNeverBack(node),
    append: async (stream, after, events) => {
      const outcome = await node.append(stream, after, events);
      if (outcome.kind === 'conflict') await judged.promise;
      return outcome;
    },
  });
  const loser = store.append('deposit-1', 3, []);
  const event = { id: 'e5', type: 'Happened', data: '{}', metadata: eventAt(5).metadata };
  expect(await store.append('deposit-1', 4, [event])).toMatchObject({ kind: 'appended', revision: 5 });
  judged.resolve();
  expect(await loser).toEqual({ kind: 'conflict', actual: 4 });
});
