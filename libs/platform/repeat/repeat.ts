import { createWaker, growingPause } from '../pause/index.ts';

export type RepeatOptions = {
  /** True when there may be more to do at once. `stopping` aborts when it is told to stop. */
  readonly work: (stopping: AbortSignal) => Promise<boolean>;
  readonly pollMs: number;
  readonly onError: (error: unknown) => void;
};

export type Repeated = {
  /** The next turn begins at once, or right after the one under way. */
  readonly wake: () => void;
  /** Waits for the work under way. */
  readonly stop: () => Promise<void>;
};

/** What fails again and again is left alone for longer and longer, but no longer than this. */
const LONGEST_PAUSE_MS = 5_000;

/** Works again and again, one turn at a time; a turn that fails is told and tried again later. */
export const repeat = ({ work, pollMs, onError }: RepeatOptions): Repeated => {
  const stopping = new AbortController();
  const { wake, wait } = createWaker();
  const pauseAfter = growingPause({ firstMs: pollMs, mostMs: Math.max(pollMs, LONGEST_PAUSE_MS), scatter: 0 });
  let failures = 0;

  const turn = async (): Promise<boolean> => {
    try {
      const more = await work(stopping.signal);
      failures = 0;
      return more;
    } catch (error) {
      failures += 1;
      onError(error);
      return false;
    }
  };

  /** Who wakes it during a turn may have come too late for what the turn looked at: the next wait ends at once. */
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) if (!(await turn())) await wait(pauseAfter(failures));
  };

  const running = run();
  return {
    wake,
    stop: async () => {
      stopping.abort();
      wake();
      await running;
    },
  };
};
