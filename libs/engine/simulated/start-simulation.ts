import type pg from 'pg';
import type { ApplySignals, SignalResult } from '#deposit-commands';
import type { ApplyTransactionSignals } from '#legacy-commands';
import { inParallel } from '#platform/in-parallel';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';
import { streamOf } from '../take/handle.ts';
import { claimDueSteps, type DueStep, finishStep } from './steps.ts';

export type SimulationParts = {
  readonly pool: pg.Pool;
  readonly applySignals: ApplySignals;
  readonly applyToTransaction: ApplyTransactionSignals;
  readonly logger: Logger;
  readonly now?: () => Date;
  /** Default 200 ms: how late a step may be played. */
  readonly everyMs?: number;
};

const BATCH = 50;
const AT_ONCE = 8;

/** Plays what was asked for. Steps are rows: a restart goes on where the last process stopped. */
export const startSimulation = (parts: SimulationParts): Repeated => {
  const { pool, applySignals, applyToTransaction, logger, now = () => new Date(), everyMs = 200 } = parts;

  const apply = ({ subject, signal, askedBy }: DueStep): Promise<readonly SignalResult[]> => {
    const signals = [{ ...signal, now: now().toISOString() }];
    return 'depositId' in subject
      ? applySignals(subject.depositId, signals, askedBy)
      : applyToTransaction(subject.transactionId, signals, askedBy);
  };

  const play = async (due: DueStep): Promise<void> => {
    const { id, subject, signal } = due;
    const step = { stream: streamOf(subject), type: signal.type };
    const notYet = (error?: unknown): void =>
      logger.warn({ err: error, ...step }, 'a simulated step could not be played yet');
    try {
      const [result] = await apply(due);
      if (result?.outcome === 'busy') return notYet();
      if (result?.outcome === 'rejected')
        logger.warn({ ...step, detail: result.detail }, 'a simulated signal was rejected');
      await finishStep(pool, id);
    } catch (error) {
      notYet(error);
    }
  };

  return repeat({
    pollMs: everyMs,
    onError: (error) => logger.warn({ err: error }, 'the simulated engine cannot play now'),
    work: async () => {
      const due = await claimDueSteps(pool, now(), BATCH);
      await inParallel(due, AT_ONCE, play);
      return due.length > 0;
    },
  });
};
