import { setTimeout as later } from 'node:timers/promises';
import { WrongExpectedRevision } from '#event-log';
import { type Busy, busy } from '../outcome.ts';

/** Enough for a hundred calls on one deposit at once: every round has a winner, and the pauses part the others. */
const MOST_TRIES = 60;

const LONGEST_PAUSE_MS = 60;

/** The first retries come at once: usually one other was first, and is done. */
const pauseBefore = (tryNumber: number): number =>
  tryNumber <= 3 ? 0 : Math.random() * Math.min(LONGEST_PAUSE_MS, 2 * tryNumber);

/** Runs `attempt` again while somebody else was first on its stream; each time it looks anew. */
export const whileOthersAreFirst = async <T>(attempt: (tryNumber: number) => Promise<T>): Promise<T | Busy> => {
  for (let tryNumber = 1; ; tryNumber++) {
    try {
      return await attempt(tryNumber);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      if (tryNumber === MOST_TRIES) return busy;
      await later(pauseBefore(tryNumber));
    }
  }
};
