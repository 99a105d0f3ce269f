import { pause } from './pause.ts';

type Growth = {
  readonly firstMs?: number;
  readonly mostMs?: number;
  readonly factor?: number;
  /** How much of a pause chance may take off, so that many who failed together do not come back together. */
  readonly scatter?: number;
};

/** How long to leave alone what has failed so many times before, the first time 0. */
export const growingPause =
  ({ firstMs = 50, mostMs = 2_000, factor = 2, scatter = 0.5 }: Growth = {}) =>
  (failures: number): number =>
    Math.min(mostMs, firstMs * factor ** failures) * (1 - scatter * Math.random());

export type KeepTrying = Growth & {
  readonly signal: AbortSignal;
  /** Told of every failure but one that comes with the signal, and of the pause after it. */
  readonly onTrouble?: (error: unknown, pauseMs: number) => void;
};

/**
 * Works again after every failure, until `work` returns or the signal is given: then the answer is undefined. `work`
 * says when it has got somewhere: what fails after that has not failed before.
 */
export const keepTrying = async <T>(
  { signal, onTrouble, ...growth }: KeepTrying,
  work: (onProgress: () => void) => Promise<T>,
): Promise<T | undefined> => {
  const pauseAfter = growingPause(growth);
  let failures = 0;
  while (!signal.aborted) {
    try {
      return await work(() => {
        failures = 0;
      });
    } catch (error) {
      if (signal.aborted) return undefined;
      const pauseMs = pauseAfter(failures++);
      onTrouble?.(error, pauseMs);
      await pause(pauseMs, signal);
    }
  }
  return undefined;
};
