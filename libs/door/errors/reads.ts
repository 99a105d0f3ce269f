import { shown } from './shown-error.ts';

const RETRY_AFTER_SECONDS = 5;

/** Where a read would have to show what is old. */
export const readErrors = {
  /** A list that leaves out what was answered before would be taken for the truth: no answer is the better one. */
  listBehind: () =>
    shown(
      503,
      `The list of deposits is behind and being brought up to date: try again in ${RETRY_AFTER_SECONDS} seconds, ` +
        'or read a single deposit by its id, which is always up to date',
      {},
      { 'retry-after': String(RETRY_AFTER_SECONDS) },
    ),
} as const;
