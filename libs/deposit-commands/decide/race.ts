import { WrongExpectedRevision } from '#event-log';

/** Signals come in bursts of a few; who loses this often in a row is told. */
const MOST_TRIES = 10;

/**
 * Runs `attempt` again while somebody else was first on its stream; each time it looks anew. The last loss is thrown.
 */
export const whileOthersAreFirst = async <T>(attempt: (tryNumber: number) => Promise<T>): Promise<T> => {
  for (let tryNumber = 1; ; tryNumber++) {
    try {
      return await attempt(tryNumber);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || tryNumber === MOST_TRIES) throw error;
    }
  }
};
