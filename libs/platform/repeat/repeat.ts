import { setTimeout as later } from 'node:timers/promises';

export type RepeatOptions = {
  /** True when there may be more to do at once. */
  readonly work: () => Promise<boolean>;
  readonly pollMs: number;
  readonly onError: (error: unknown) => void;
};

export type Repeated = {
  /** Waits for the work under way. */
  readonly stop: () => Promise<void>;
};

/** Works again and again, one turn at a time; a turn that fails is told and tried again at the next. */
export const repeat = ({ work, pollMs, onError }: RepeatOptions): Repeated => {
  const stopping = new AbortController();
  const { signal } = stopping;

  const turn = async (): Promise<boolean> => {
    try {
      return await work();
    } catch (error) {
      onError(error);
      return false;
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const more = await turn();
      if (!more) await later(pollMs, undefined, { signal }).catch(() => undefined);
    }
  };

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
