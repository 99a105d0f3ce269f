import { type EventLog, LogUnavailable } from '#event-log';

export type HeldBack = { readonly log: EventLog; readonly release: () => void };

/**
 * Nothing is appended before the log has said that it is this installation's: one that was away at the start may turn out
 * to be another's, and what was played into its history meanwhile would stay there.
 */
export const heldBack = (log: EventLog): HeldBack => {
  let isOurs = false;
  return {
    log: {
      ...log,
      append: async (...asked) => {
        if (!isOurs) throw new LogUnavailable('the event log is sent nothing until it has said whose it is');
        return log.append(...asked);
      },
    },
    release: () => {
      isOurs = true;
    },
  };
};
