import { codeOf } from './describe-failure.ts';

/** A value that cannot be stored: nothing of the statement is, and it is for no lack of a server. */
export const isOfOneRow = (error: unknown): boolean => /^2[23]/.test(codeOf(error) ?? '');
