import type { Logger } from '#platform/logging';
import { createPause } from '#platform/pause';
import { isOfOneRow, type Queryable } from '#platform/postgres';
import { finishAttempts, type Outcome } from './finish.ts';

/** What is answered within this time is stored together, or sooner when it is enough. A crash before that repeats it. */
const [GATHER_MS, ENOUGH] = [20, 30];

/** Statements at one time: what is answered while one is under way need not wait for its end. */
const WRITERS = 2;

const MOST_AT_ONCE = 1_000;

type Gathered = { readonly outcome: Outcome; readonly done: (stored: boolean) => void };

/** Stores what came of attempts, many in a statement. */
export type Outcomes = {
  /**
   * False: nothing came of it, since it could not be stored, or since somebody else has the delivery by now. Then it comes
   * up again when its lease ends, or is in other hands already.
   */
  readonly store: (outcome: Outcome) => Promise<boolean>;
  readonly unstored: () => number;
  /** No other answer is on its way: what is gathered need not wait for more. */
  readonly hurry: () => void;
};

export const createOutcomes = (db: Queryable, logger: Logger): Outcomes => {
  const gathered: Gathered[] = [];
  const gathering = createPause();
  const underWay = new Set<Promise<void>>();
  let [handingOut, unstored] = [false, 0];

  const write = async (batch: readonly Gathered[]): Promise<void> => {
    try {
      const lost = await finishAttempts(
        db,
        batch.map(({ outcome }) => outcome),
      );
      for (const { outcome, done } of batch) done(!lost.has(outcome.id));
    } catch (error) {
      // One of them must not cost the others theirs.
      if (batch.length > 1 && isOfOneRow(error)) return void (await Promise.all(batch.map((one) => write([one]))));
      const ids = batch.map(({ outcome }) => outcome.id);
      logger.warn({ err: error, delivery_ids: ids }, 'what came of webhook attempts could not be stored');
      for (const { done } of batch) done(false);
    }
  };

  const start = (batch: readonly Gathered[]): void => {
    const writing = write(batch).finally(() => {
      underWay.delete(writing);
      unstored -= batch.length;
    });
    underWay.add(writing);
  };

  const handOut = async (): Promise<void> => {
    handingOut = true;
    while (gathered.length > 0) {
      if (gathered.length < ENOUGH) await gathering.wait(GATHER_MS);
      if (underWay.size === WRITERS) await Promise.race(underWay);
      start(gathered.splice(0, MOST_AT_ONCE));
    }
    handingOut = false;
  };

  return {
    store: (outcome) =>
      new Promise((done) => {
        gathered.push({ outcome, done });
        unstored += 1;
        if (gathered.length >= ENOUGH) gathering.end();
        if (!handingOut) void handOut();
      }),
    unstored: () => unstored,
    hurry: gathering.end,
  };
};
