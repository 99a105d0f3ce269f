import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import { finishAttempts, type Outcome } from './finish.ts';

/** What is answered within this time is stored together. A crash before that repeats it. */
const GATHER_MS = 20;

const MOST_AT_ONCE = 500;

/** One gathers while the other's statement is under way. */
const MOST_WRITERS = 2;

/** A value that cannot be stored: nothing of the statement is, and it is for no lack of a server. */
const isOfOneRow = (error: unknown): boolean => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^2[23]/.test(code);
};

type Gathered = { readonly outcome: Outcome; readonly done: (stored: boolean) => void };

/** Stores what came of attempts, many in a statement. */
export type Outcomes = {
  /** False: it could not be stored, and the delivery comes up again when its lease ends, here or elsewhere. */
  readonly store: (outcome: Outcome) => Promise<boolean>;
  readonly unstored: () => number;
};

export const createOutcomes = (db: Queryable, logger: Logger): Outcomes => {
  const gathered: Gathered[] = [];
  let [writers, unstored] = [0, 0];

  const write = async (batch: readonly Gathered[]): Promise<void> => {
    try {
      await finishAttempts(
        db,
        batch.map(({ outcome }) => outcome),
      );
      for (const { done } of batch) done(true);
    } catch (error) {
      // One of them must not cost the others theirs.
      if (batch.length > 1 && isOfOneRow(error)) return void (await Promise.all(batch.map((one) => write([one]))));
      const ids = batch.map(({ outcome }) => outcome.id);
      logger.warn({ err: error, delivery_ids: ids }, 'what came of webhook attempts could not be stored');
      for (const { done } of batch) done(false);
    }
  };

  const writeAll = async (): Promise<void> => {
    writers += 1;
    while (gathered.length > 0) {
      await delay(GATHER_MS);
      const batch = gathered.splice(0, MOST_AT_ONCE);
      if (batch.length > 0) await write(batch);
      unstored -= batch.length;
    }
    writers -= 1;
  };

  return {
    store: (outcome) =>
      new Promise((done) => {
        gathered.push({ outcome, done });
        unstored += 1;
        if (writers < MOST_WRITERS) void writeAll();
      }),
    unstored: () => unstored,
  };
};
