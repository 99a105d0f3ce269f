import { shown } from '#door/errors';
import { SignalsNotTaken } from '#engine';

export const signalsNotTaken = () =>
  shown(
    503,
    'Not every signal could be taken, because a store does not answer. Send the same call again: signals that were taken are answered as duplicate',
    { code: 'signals_not_taken' },
  );

/** Told in the log where it happened. */
export const notTaken = (error: unknown): never => {
  throw error instanceof SignalsNotTaken ? signalsNotTaken() : error;
};
