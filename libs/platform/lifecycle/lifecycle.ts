import type { Logger } from '../logging/index.ts';
import { withinTime } from '../pause/index.ts';

/** In this order; what one stage needs may only be taken away by a later one. */
export const STAGES = [
  'not-ready',
  'stop-accepting',
  'finish-requests',
  'stop-consumers',
  'close-stores',
  'stop-postgres',
  'flush-logs',
] as const;

export type Stage = (typeof STAGES)[number];

export type Lifecycle = {
  /** Within a stage all run at once; a failure is logged and stops nothing. Returns a function that takes it back. */
  readonly onStop: (stage: Stage, name: string, stop: () => unknown) => () => void;
  /** Runs the stages once, whoever asks and however often. */
  readonly stop: (reason: string) => Promise<void>;
  readonly stopping: () => boolean;
};

type Step = { readonly stage: Stage; readonly name: string; readonly stop: () => unknown };

export type LifecycleOptions = {
  readonly logger: Logger;
  /** How long one step may take before the next stage begins without it. */
  readonly stepTimeoutMs?: number;
};

export const createLifecycle = ({ logger, stepTimeoutMs = 10_000 }: LifecycleOptions): Lifecycle => {
  const steps = new Set<Step>();
  let stopped: Promise<void> | undefined;

  const run = async ({ stage, name, stop }: Step): Promise<void> => {
    try {
      await withinTime(Promise.resolve().then(stop), stepTimeoutMs);
    } catch (error) {
      logger.error({ err: error, stage }, `could not stop ${name}`);
    }
  };

  const runStages = async (reason: string): Promise<void> => {
    logger.debug({ reason }, 'stopping');
    for (const stage of STAGES) {
      if (stage === 'flush-logs') logger.debug('stopped');
      await Promise.all([...steps].filter((step) => step.stage === stage).map(run));
    }
  };

  return {
    onStop: (stage, name, stop) => {
      const step = { stage, name, stop };
      steps.add(step);
      return () => {
        steps.delete(step);
      };
    },
    stop: (reason) => {
      stopped ??= runStages(reason);
      return stopped;
    },
    stopping: () => stopped !== undefined,
  };
};
