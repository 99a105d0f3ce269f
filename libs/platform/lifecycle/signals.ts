import type { Logger } from '../logging/index.ts';
import type { Lifecycle } from './lifecycle.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type SignalSource = Pick<NodeJS.Process, 'on' | 'off'>;

export type SignalOptions = {
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly exit: (code: number) => void;
  readonly source?: SignalSource;
};

/** The first signal stops in order and exits 0, a second one exits at once with 1. Returns how to take it back. */
export const stopOnSignals = ({ lifecycle, logger, exit, source = process }: SignalOptions): (() => void) => {
  let asked = false;
  const stop = (signal: string): void => {
    if (asked) {
      logger.warn({ signal }, 'asked again: exiting at once');
      exit(1);
      return;
    }
    asked = true;
    logger.info({ signal }, 'stopping');
    void lifecycle.stop(signal).then(() => exit(0));
  };
  for (const signal of SIGNALS) source.on(signal, stop);
  return () => {
    for (const signal of SIGNALS) source.off(signal, stop);
  };
};
