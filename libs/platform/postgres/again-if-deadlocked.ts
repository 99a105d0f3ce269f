import { codeOf } from './describe-failure.ts';

const DEADLOCK = '40P01';
const TRIES = 5;

/**
 * Of two who stand in each other's way Postgres lets one go on, and has forgotten what the other did: that can be done
 * again. For work that is one transaction.
 */
export const againIfDeadlocked = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let nth = 1; ; nth++)
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== DEADLOCK || nth === TRIES) throw error;
    }
};
