import { BrokenHistory, type EventLog } from '#event-log';
import type { HeldBack } from './until-ours.ts';

/**
 * For whoever decides on what he reads: a history that lacks its end, in a log that lacks what was shown, is whole in the
 * own one. He is refused as if he had written, and may come again; one that is broken in a whole log stays so.
 */
export const refusedWhileLacking = (log: EventLog, claim: Pick<HeldBack, 'isWhole'> | undefined): EventLog =>
  claim === undefined
    ? log
    : {
        ...log,
        read: async function* (...asked) {
          try {
            yield* log.read(...asked);
          } catch (error) {
            if (error instanceof BrokenHistory) await claim.isWhole();
            throw error;
          }
        },
      };
