import { NumbersUnavailable } from '#deposit-commands';
import { commandErrors, ShownError } from '../errors/index.ts';

/** A fault of ours under the name that the interface has for it there: the caller reads that, the log the cause. */
export const orFailed = async <T>(work: Promise<T>, failed: () => ShownError): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ShownError) throw cause;
    if (cause instanceof NumbersUnavailable) throw Object.assign(commandErrors.numbersUnavailable(), { cause });
    throw Object.assign(failed(), { cause });
  }
};
