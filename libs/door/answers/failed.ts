import { NotBegun, NumbersUnavailable } from '#deposit-commands';
import { isUnbegun } from '#event-log';
import { Crowded } from '#platform/gate';
import { commandErrors, httpErrors, ShownError } from '../errors/index.ts';

/** A fault of ours under the name that the interface has for it there: the caller reads that, the log the cause. */
export const orFailed = async <T>(work: Promise<T>, failed: () => ShownError): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    // Where nothing was begun that is said: the interface's 500 means that something may have been recorded.
    if (cause instanceof ShownError || isUnbegun(cause) || cause instanceof Crowded) throw cause;
    if (cause instanceof NumbersUnavailable) throw Object.assign(commandErrors.numbersUnavailable(), { cause });
    if (cause instanceof NotBegun) throw Object.assign(httpErrors.databaseAway(), { cause });
    throw Object.assign(failed(), { cause });
  }
};
