import { LogReadOnly, type SameLog } from '#event-log';
import { growingPause, pause } from '#platform/pause';

export type Lack = string | undefined;

export type WrittenWhole = Pick<SameLog, 'isWhole'> & {
  /** From here on it is asked so what the log lacks, with each sign that it may be another one. */
  readonly askBy: (ask: () => Promise<Lack>, onLack: (lack: Lack) => void) => void;
  readonly end: () => void;
};

const lookAgain = growingPause({ firstMs: 250, mostMs: 2_000, factor: 1.3, scatter: 0 });

/**
 * What is written to a log that lacks what was shown of it stands in that copy alone, and is lost once the own one is put
 * back: decisions that were answered, payments that were taken. So it is written nothing until it has all again, or an
 * operator had the read models and webhooks go on in it.
 */
export const writtenWhole = (exchanges: () => number): WrittenWhole => {
  const over = new AbortController();
  let ask: (() => Promise<Lack>) | undefined;
  let onLack = (_: Lack): void => undefined;
  let lack: Lack;
  let [judgedAt, isLooking]: [number | undefined, boolean] = [undefined, false];
  let judging: Promise<void> | undefined;

  const judge = async (): Promise<void> => {
    const before = exchanges();
    const found = await ask?.();
    if (found !== lack) onLack(found);
    [lack, judgedAt] = [found, before];
  };

  const judgeOnce = (): Promise<void> => {
    judging ??= judge().finally(() => {
      judging = undefined;
    });
    return judging;
  };

  const lookOn = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    for (let looks = 0; lack !== undefined && !over.signal.aborted; looks++) {
      await pause(lookAgain(looks), over.signal);
      // What cannot be asked now is as it was found.
      await judgeOnce().catch(() => undefined);
    }
    isLooking = false;
  };

  return {
    askBy: (found, told) => {
      [ask, onLack] = [found, told];
    },
    isWhole: async () => {
      if (ask === undefined) return;
      while (lack === undefined && judgedAt !== exchanges()) await judgeOnce();
      if (lack === undefined) return;
      void lookOn();
      throw new LogReadOnly(`it is written nothing while it lacks what was shown of it: ${lack}`);
    },
    end: () => over.abort(),
  };
};
