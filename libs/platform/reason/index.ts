import { isNativeError } from 'node:util/types';

/** What went wrong, as the end of a sentence. */
export const reasonOf = (error: unknown): string => (isNativeError(error) ? error.message : String(error));
