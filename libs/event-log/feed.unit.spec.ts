import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { pause, whenAborted } from '#platform/pause';
import { withFeed } from './feed.ts';
import { type Position, positionOf } from './position.ts';
import { ConnectionLost, type EventStore, type FollowOptions, type StoredBatch, type StoredEvent } from './store.ts';

const at = (n: number): Position => positionOf(BigInt(n), 0n);

const eventAt = (n: number): StoredEvent => ({ stream: n % 2 ? 'odd' : 'even', position: at(n) }) as StoredEvent;

/** A log in memory that counts who follows it. */
const logOf = (length: number) => {
  const log = {
    length,
    followers: 0,
    asked: 0,
    failure: undefined as Error | undefined,
    /** Of whoever reads next. */
    passing: undefined as Error | undefined,
    unreadable: -1,
    waiting: [] as (() => void)[],
    ring: (): void => {
      for (const ring of log.waiting.splice(0)) ring();
    },
  };
  const fail = (): void => {
    const failure = log.failure ?? log.passing;
    log.passing = undefined;
    if (failure) throw failure;
  };
  const page = (from: number, most: number): StoredEvent[] => {
    fail();
    const events = Array.from({ length: Math.min(most, log.length - from) }, (_, n) => eventAt(from + n));
    if (events.some(({ position }) => position === at(log.unreadable))) throw new Error('unreadable');
    return events;
  };
  async function* follow({ after, batchSize, signal }: FollowOptions): AsyncGenerator<StoredBatch> {
    log.followers++;
    log.asked++;
    try {
      let next = after === undefined ? 0 : Number(after.slice(0, 20)) + 1;
      while (!signal.aborted) {
        const events = page(next, batchSize);
        next += events.length;
        const last = events.at(-1);
        if (last) yield { events, position: last.position };
        else {
          const more = new Promise<void>((ring) => {
            log.waiting.push(ring);
          });
          await Promise.race([more, whenAborted(signal)]);
        }
      }
    } finally {
      log.followers--;
    }
  }
  const head = async () => (log.length === 0 ? undefined : at(log.length - 1));
  return { log, store: withFeed({ follow, head } as unknown as EventStore) };
};

/** Follows until it has seen so many events, and tells which. */
const followed = async (store: EventStore, count: number, options: Partial<FollowOptions> = {}) => {
  const { signal } = new AbortController();
  const seen: Position[] = [];
  for await (const { events } of store.follow({
    after: undefined,
    filter: undefined,
    batchSize: 3,
    signal,
    ...options,
  })) {
    seen.push(...events.map(({ position }) => position));
    if (seen.length >= count) break;
  }
  return seen;
};

const positions = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, n) => at(from + n * step));

describe('those who follow the log in one process', () => {
  it('share one reader at its end, each in its order, behind its own place and through its own filter', async () => {
    const { log, store } = logOf(10);
    const end = { after: at(9) };
    const odd = { ...end, filter: { streamPrefixes: ['odd'] } };
    const all = Promise.all([
      followed(store, 20, end),
      followed(store, 10, odd),
      followed(store, 19, { after: at(10) }),
    ]);
    await immediate();
    await immediate();
    expect(log.followers).toBe(1);
    log.length = 30;
    log.ring();
    expect(await all).toEqual([positions(10, 30), positions(11, 30, 2), positions(11, 30)]);
    expect(log.asked).toBe(1);
  });

  it('read alone what lies further back than the shared reader began, and then with the others', async () => {
    const { log, store } = logOf(10);
    const behind = followed(store, 12);
    await immediate();
    log.length = 12;
    log.ring();
    expect(await behind).toEqual(positions(0, 12));
    await immediate();
    expect(log.followers).toBe(0);
  });

  it('read alone again when they are so slow that the shared reader has forgotten', async () => {
    const { log, store } = logOf(1);
    const { signal } = new AbortController();
    const slow = store.follow({ after: at(0), filter: undefined, batchSize: 500, signal })[Symbol.asyncIterator]();
    const first = slow.next();
    await immediate();
    log.length = 2;
    log.ring();
    expect((await first).value.position).toBe(at(1));
    log.length = 9_000;
    log.ring();
    await followed(store, 1, { after: at(8_998) });
    const seen: Position[] = [];
    while (seen.length < 8_998) seen.push(...(await slow.next()).value.events.map((e: StoredEvent) => e.position));
    expect(seen).toEqual(positions(2, 9_000));
    await slow.return?.();
  });

  it('all hear that the connection is lost, and the next to follow asks anew', async () => {
    const { log, store } = logOf(1);
    const lost = Promise.allSettled([followed(store, 1, { after: at(0) }), followed(store, 1, { after: at(0) })]);
    await immediate();
    log.failure = new ConnectionLost('cut');
    log.ring();
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    log.failure = undefined;
    log.length = 2;
    expect(await followed(store, 1, { after: at(0) })).toEqual([at(1)]);
  });

  it('keep their reader where one that is far behind fails, and it ends with the last of them', async () => {
    const { log, store } = logOf(10);
    const along = followed(store, 1, { after: at(9) });
    await immediate();
    log.unreadable = 4;
    for (let nth = 0; nth < 3; nth++) await expect(followed(store, 10)).rejects.toThrow('unreadable');
    const later = followed(store, 1, { after: at(9) });
    await immediate();
    expect(log.followers).toBe(1);
    log.length = 11;
    log.ring();
    expect(await Promise.all([along, later])).toEqual([[at(10)], [at(10)]]);
    await immediate();
    expect(log.followers).toBe(0);
  });

  it('share one again, behind what each has read alone, where it failed by what one may pass over', async () => {
    const { log, store } = logOf(10);
    const stopping = new AbortController();
    const [first, second] = [2, 2].map((count) => followed(store, count, { after: at(9), signal: stopping.signal }));
    await immediate();
    await immediate();
    log.passing = new Error('passing');
    log.ring();
    await immediate();
    await immediate();
    expect(log.followers).toBe(2);
    log.length = 11;
    log.ring();
    await pause(20, stopping.signal);
    expect(log.followers).toBe(1);
    log.length = 12;
    log.ring();
    expect(await Promise.all([first, second])).toEqual([positions(10, 12), positions(10, 12)]);
    await immediate();
    expect(log.followers).toBe(0);
  });
});
