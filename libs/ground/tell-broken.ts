import type { EventLogOptions } from '#event-log';
import type { Health } from '#platform/health';
import type { Logger } from '#platform/logging';

export type TellBroken = Required<Pick<EventLogOptions, 'onBroken' | 'onWhole'>> & {
  /** Streams that were met so, and not read whole since. */
  readonly broken: () => readonly string[];
};

type Parts = { readonly health: Pick<Health, 'alarm' | 'calm'>; readonly logger: Logger };

/**
 * Each place of broken history is told once, and every answer about readiness names those that were met, until their stream
 * is read whole again: one that lacked its end in a copy of the log has it in its own.
 */
export const tellBroken = ({ health, logger }: Parts): TellBroken => {
  const told = new Map<string, Set<string>>();
  return {
    broken: () => [...told.keys()],
    onBroken: (error, stream) => {
      told.set(stream, (told.get(stream) ?? new Set()).add(error.message));
      if (!health.alarm(error.message)) return;
      logger.fatal(
        { alert: 'broken_history', err: error },
        'history is not as it was written: nothing is decided on it',
      );
    },
    onWhole: (stream) => {
      const messages = told.get(stream);
      if (messages === undefined) return;
      told.delete(stream);
      for (const message of messages) health.calm(message);
      logger.warn({ stream }, 'a history that was broken was read whole again');
    },
  };
};
