import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createEventLog } from '../create-event-log.ts';
import { BrokenHistory, LogReadOnly, LogUnavailable, OutcomeUnknown } from '../errors.ts';
import type { Position } from '../position.ts';
import { ConnectionLost, NotAsked, type StoredBatch } from '../store.ts';
import { askingBefore } from './asking-before.ts';
import { type AtItsNode, headNeverBack } from './head-never-back.ts';

const batchAt = (place: number): StoredBatch => ({ events: [], position: `${place}` as Position });

let exchanges: number;
let forgotten: number;
let begun: number;
let isOurs: () => Promise<void>;
let isWhole: () => Promise<void>;
let appended: number;
let batches: readonly StoredBatch[];
/** What stands in the way of an answer, or comes with it. */
let onTheWay: () => void;

async function* pages() {
  for (const page of batches) {
    onTheWay();
    yield page;
  }
  onTheWay();
}

const opened = () => {
  const store = {
    forget: () => {
      forgotten += 1;
    },
    async *follow() {
      begun += 1;
      yield* batches;
    },
    ...{ readStream: pages, readAll: pages, readByStream: pages },
    append: async () => {
      appended += 1;
      onTheWay();
      return { kind: 'appended', revision: 0, position: '1', hash: undefined };
    },
    head: async () => batchAt(2).position,
    lastRevision: async () => {
      onTheWay();
      return 7;
    },
  };
  return askingBefore(store as unknown as AtItsNode, () => ({
    exchanges: () => exchanges,
    isOurs: () => isOurs(),
    isWhole: () => isWhole(),
  }));
};

const followed = async (store: AtItsNode, signal: AbortSignal, onBatch = (): void => undefined) => {
  const given: StoredBatch[] = [];
  for await (const batch of store.follow({ after: undefined, filter: undefined, batchSize: 10, signal })) {
    given.push(batch);
    onBatch();
  }
  return given;
};

const going = (): AbortSignal => new AbortController().signal;

beforeEach(() => {
  [exchanges, forgotten, begun, appended] = [0, 0, 0, 0];
  [isOurs, isWhole] = [async () => undefined, async () => undefined];
  batches = [batchAt(1), batchAt(2)];
  onTheWay = () => undefined;
});

const exchange = (): void => {
  exchanges += 1;
};

/** Of another log. */
const breakAnew = (): void => {
  exchange();
  throw new BrokenHistory('it is of another installation');
};

describe('Whoever follows', () => {
  it('is given what comes over the connection that was asked', async () => {
    expect(await followed(opened(), going())).toEqual(batches);
  });

  it('is given nothing that comes over the next one', async () => {
    const given: unknown[] = [];
    const onBatch = (): void => {
      given.push(batches[given.length]);
      exchanges += 1;
    };
    await expect(followed(opened(), going(), onBatch)).rejects.toThrow(ConnectionLost);
    expect(given).toEqual([batchAt(1)]);
  });

  it('does not begin while the log is another one', async () => {
    isOurs = () => Promise.reject(new Error('it is of another installation'));
    await expect(followed(opened(), going())).rejects.toThrow(NotAsked);
    expect(begun).toBe(0);
  });

  it('waits no longer for whose log it is once it is stopped', async () => {
    const stopping = new AbortController();
    isOurs = () => new Promise(() => undefined);
    const following = followed(opened(), stopping.signal);
    stopping.abort();
    await following;
  });

  it('reads nothing that was remembered before the log was asked behind a new connection', async () => {
    const store = opened();
    await followed(store, going());
    expect(forgotten).toBe(0);
    exchanges += 1;
    await followed(store, going());
    await followed(store, going());
    expect(forgotten).toBe(1);
  });
});

describe('Whoever reads', () => {
  const upTo = batchAt(2).position;
  const ways: readonly (readonly [string, (store: AtItsNode) => AsyncIterable<unknown>])[] = [
    ['a stream', (store) => store.readStream('deposit-1', { from: 0, direction: 'forwards', limit: 9 })],
    ['all streams', (store) => store.readAll({})],
    ['stream by stream', (store) => store.readByStream({ after: undefined, upTo, only: undefined })],
  ];

  it.each(ways)('%s is given nothing that comes over the next connection', async (_, read) => {
    const given: unknown[] = [];
    const reading = async () => {
      for await (const page of read(opened())) {
        given.push(page);
        onTheWay = exchange;
      }
    };
    await expect(reading()).rejects.toThrow(ConnectionLost);
    expect(given).toEqual([batchAt(1)]);
  });

  it.each(ways)('%s does not take for its end what the next connection does not have', async (_, read) => {
    [batches, onTheWay] = [[], exchange];
    await expect(Array.fromAsync(read(opened()))).rejects.toThrow(ConnectionLost);
  });

  it.each(ways)('%s is told of no damage that the next connection shows', async (_, read) => {
    onTheWay = breakAnew;
    await expect(Array.fromAsync(read(opened()))).rejects.toThrow(ConnectionLost);
  });
});

describe('Whoever calls', () => {
  const noted = { id: randomUUID(), type: 'Noted', data: {}, metadata: { occurredAt: '2026-11-01T00:00:00.000Z' } };

  it('is answered over the connection that was asked', async () => {
    expect(await opened().lastRevision('deposit-1')).toBe(7);
  });

  it.each([
    ['an answer', exchange],
    ['an error', breakAnew],
  ])('is given no such thing as %s that comes over the next one', async (_, happens) => {
    onTheWay = happens;
    await expect(opened().lastRevision('deposit-1')).rejects.toThrow(ConnectionLost);
  });

  it('is told that an append may have been written where that is to another log', async () => {
    onTheWay = () => {
      exchange();
      isOurs = () => Promise.reject(new Error('it is of another installation'));
    };
    const log = createEventLog(headNeverBack(opened()), { patienceMs: 100 });
    await expect(log.append('deposit-1', 'no_stream', [noted])).rejects.toThrow(OutcomeUnknown);
    await log.close();
  });

  it.each([
    ['takes no writes, where the log lacks what was shown of it', new LogReadOnly('it lacks an accept'), LogReadOnly],
    ['does not answer, where nobody can say what it lacks', new Error('Postgres is away'), LogUnavailable],
  ])('is told that it %s, and nothing is sent', async (_, why, refusal) => {
    isWhole = () => Promise.reject(why);
    const log = createEventLog(headNeverBack(opened()), { patienceMs: 100 });
    await expect(log.append('deposit-1', 'no_stream', [noted])).rejects.toThrow(refusal);
    await setTimeout(300);
    expect([appended, await log.lastRevision('deposit-1')]).toEqual([0, 7]);
    isWhole = async () => undefined;
    await log.append('deposit-1', 'no_stream', [noted]);
    expect(appended).toBe(1);
    await log.close();
  });

  it('appends again where that is to the own log once more', async () => {
    let appends = 0;
    onTheWay = () => {
      appends += 1;
      if (appends === 1) exchange();
    };
    await createEventLog(headNeverBack(opened())).append('deposit-1', 'no_stream', [noted]);
    expect(appends).toBe(2);
  });
});
