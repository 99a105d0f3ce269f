import { RETRY_AFTER_SECONDS, shown } from './shown-error.ts';

/** Where a read would have to show what is old. */
export const readErrors = {
  /** A list that leaves out what was answered before would be taken for the truth: no answer is the better one. */
  listBehind: () =>
    shown(
      503,
      `The list of deposits is behind and being brought up to date: try again in ${RETRY_AFTER_SECONDS} seconds, ` +
        'or read a single deposit by its id, which is always up to date',
      { code: 'list_behind' },
    ),
  /** Behind a change: to try it again would be refused, or do it twice. */
  recordedNotShown: () =>
    shown(503, 'It is recorded, and cannot be shown now: read it later, and do not repeat the call', {
      code: 'recorded_not_shown',
    }),
  /** Nothing that may be old is shown, and nothing was begun: an append that was sent is another matter. */
  logAway: () =>
    shown(503, `The event log does not answer: nothing was recorded, try again in ${RETRY_AFTER_SECONDS} seconds`, {
      code: 'event_log_unavailable',
    }),
} as const;
