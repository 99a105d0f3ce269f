import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Position } from '../position.ts';
import { ConnectionLost, NotAsked, type StoredBatch } from '../store.ts';
import { askingBefore } from './asking-before.ts';
import type { AtItsNode } from './head-never-back.ts';

const batchAt = (place: number): StoredBatch => ({ events: [], position: `${place}` as Position });

let exchanges: number;
let forgotten: number;
let begun: number;
let isOurs: () => Promise<void>;
let batches: readonly StoredBatch[];

const opened = () => {
  const store = {
    forget: () => {
      forgotten += 1;
    },
    async *follow() {
      begun += 1;
      yield* batches;
    },
  };
  const same = { exchanges: () => exchanges, isAsked: () => true, isOurs: () => isOurs() };
  return askingBefore(store as unknown as AtItsNode, same);
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
  [exchanges, forgotten, begun] = [0, 0, 0];
  isOurs = async () => undefined;
  batches = [batchAt(1), batchAt(2)];
});

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
