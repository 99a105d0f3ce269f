import { BrokenHistory, type EventLog, LogUnavailable, OutcomeUnknown } from '#event-log';
import type { HeldBack } from './until-ours.ts';

type Claim = Pick<HeldBack, 'exchanges' | 'isWhole'>;

/**
 * What was found broken in a log that lacks what was shown, or that stood there for a while, says nothing of the own one.
 * It is refused as a write would be, or as what was connected to anew.
 */
const judging = (claim: Claim) => {
  const begun = claim.exchanges();
  return async (error: unknown): Promise<never> => {
    if (!(error instanceof BrokenHistory)) throw error;
    await claim.isWhole();
    if (claim.exchanges() === begun) throw error;
    const why = 'the event log was connected to anew while it was asked, and may have been another one';
    throw new LogUnavailable(why, { cause: error });
  };
};

type Refusing = <T>(ask: () => Promise<T>) => Promise<T>;

/** For whoever answers by what he reads: he may come again. What is broken in a whole log stays so. */
export const refusingWhileLacking =
  (claim: Claim | undefined): Refusing =>
  (ask) =>
    claim === undefined ? ask() : ask().catch(judging(claim));

/** The same for all that is asked of a log. Nobody knows of an append then whether an earlier try of it was written. */
export const refusedWhileLacking = (log: EventLog, claim: Claim | undefined): EventLog => {
  if (claim === undefined) return log;
  const refusing = refusingWhileLacking(claim);
  return {
    ...log,
    append: async (stream, ...asked) => {
      const since = performance.now();
      const judge = judging(claim);
      return log.append(stream, ...asked).catch(async (error: unknown) => {
        const refusal: unknown = await judge(error).catch((found: unknown) => found);
        throw refusal === error ? error : new OutcomeUnknown(stream, Math.round(performance.now() - since), refusal);
      });
    },
    lastRevision: (stream) => refusing(() => log.lastRevision(stream)),
    read: async function* (...asked) {
      const judge = judging(claim);
      try {
        yield* log.read(...asked);
      } catch (error) {
        await judge(error);
      }
    },
  };
};
