import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConnectionLost } from '../store.ts';
import { type Connection, connectTo } from './connection.ts';
import type { Reading, Weight } from './whole-page.ts';

let connection: Connection;

beforeEach(() => {
  jest.useFakeTimers();
  connection = connectTo('esdb://127.0.0.1:1?tls=false');
});

afterEach(async () => {
  const closed = connection.close();
  await jest.runAllTimersAsync();
  await closed;
  jest.useRealTimers();
});

const answerIn = <T>(ms: number, answer: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, ms, answer));

const upTo = (end: number): readonly number[] => Array.from({ length: end }, (_, nth) => nth);

/** A page of which a record comes twice a second. */
const slowPage = (records: number): Reading<number> => ({
  on: () => undefined,
  cancel: async () => undefined,
  async *[Symbol.asyncIterator]() {
    for (let nth = 0; nth < records; nth++) yield await answerIn(500, nth);
  },
});

const paged = (records: number, weight: Weight) =>
  settled(
    connection
      .pageUntil(() => slowPage(records), { keep: (record) => record, weigh: () => weight })
      .then(({ items }) => items),
  );

const settled = async <T>(asked: Promise<T>): Promise<PromiseSettledResult<T> | undefined> => {
  const [result] = await Promise.allSettled([asked]);
  return result;
};

describe('A call that hears nothing for 3 s', () => {
  it('ends as lost where nothing else is heard either', async () => {
    const asked = settled(connection.call(() => answerIn(4_000, 'late')));
    await jest.advanceTimersByTimeAsync(3_200);
    expect(await asked).toMatchObject({ reason: expect.any(ConnectionLost) });
  });

  it('waits while a page of large events comes, which keeps it waiting', async () => {
    const page = paged(12, 'heavy');
    const asked = settled(connection.call(() => answerIn(5_000, 'late')));
    await jest.advanceTimersByTimeAsync(7_000);
    expect(await asked).toMatchObject({ value: 'late' });
    expect(await page).toMatchObject({ value: upTo(12) });
  });

  it('ends as lost behind 10 s all the same, alone', async () => {
    const page = paged(30, 'heavy');
    const asked = settled(connection.call(() => answerIn(60_000, 'late')));
    await jest.advanceTimersByTimeAsync(10_500);
    expect(await asked).toMatchObject({ reason: expect.any(ConnectionLost) });
    await jest.advanceTimersByTimeAsync(6_000);
    expect(await page).toMatchObject({ value: upTo(30) });
  });

  it('ends as lost where others hear something that keeps nobody waiting: they may ask another node by now', async () => {
    const page = paged(12, 'light');
    const asked = settled(connection.call(() => answerIn(5_000, 'late')));
    await jest.advanceTimersByTimeAsync(3_200);
    expect(await asked).toMatchObject({ reason: expect.any(ConnectionLost) });
    await jest.advanceTimersByTimeAsync(6_000);
    await page;
  });
});
