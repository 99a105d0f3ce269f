import { isUndone, orUndone } from '#platform/postgres';
import { reasonOf } from '#platform/reason';

/** The database could not be asked, or took nothing, before anything was recorded: the same call may be sent again at once. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
}

/** For what comes before the first thing that is recorded. */
export const orNotBegun = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (isUndone(cause)) throw new NotBegun(`nothing was begun: ${reasonOf(cause)}`, { cause });
    throw cause;
  }
};

/** The same for what only reads, or only takes numbers: it may have been cut at any time. */
export const orNothingRecorded = <T>(work: () => Promise<T>): Promise<T> => orNotBegun(() => orUndone(work));

/** For what comes behind that: whatever fails says no more that nothing was recorded. */
export const orBegun = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    throw new Error(`a part of it is recorded: ${reasonOf(cause)}`, { cause });
  }
};
