import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ExchangeableLog, LogUnavailable, type Position } from '#event-log';
import { type HeldBack, heldBack } from './until-ours.ts';

const PLACE = `${'0'.repeat(20)}.${'0'.repeat(20)}` as Position;

let exchanges: number;
let isAnother: boolean;
let held: HeldBack;

/** Answered over another connection than it was sent over. */
const overTheNext = async <T>(answer: T): Promise<T> => {
  exchanges += 1;
  return answer;
};

beforeEach(() => {
  [exchanges, isAnother] = [0, false];
  const log = {
    exchanges: () => exchanges,
    askBefore: () => undefined,
    whileAnswering: (ask: () => Promise<unknown>) => ask(),
    head: () => overTheNext(PLACE),
    end: () => overTheNext(PLACE),
    close: async () => undefined,
  };
  held = heldBack(log as unknown as ExchangeableLog);
  held.hold()();
  held.askBy(async () => {
    if (isAnother && exchanges > 0) throw new Error('it is of another installation');
  });
});

afterEach(() => held.log.close());

describe('What is answered over another connection than it was sent over', () => {
  it("is told where that is to this installation's log", async () => {
    expect(await held.log.head()).toBe(PLACE);
  });

  it.each(['head', 'end'] as const)(
    'is told to nobody where that is to another log (%s)',
    async (question) => {
      isAnother = true;
      await expect(held.log[question]()).rejects.toThrow(LogUnavailable);
    },
    15_000,
  );
});
