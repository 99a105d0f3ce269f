import type pg from 'pg';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';
import { isUnhandled, MOST_SIGNALS, type TakeSignals } from '../take/take-signals.ts';
import { dueAgain, forgetFailing, stepBack } from './rows.ts';

export type FailingParts = {
  readonly pool: pg.Pool;
  readonly takeSignals: TakeSignals;
  readonly logger: Logger;
  readonly pollMs?: number;
};

const handInAgain = async ({ pool, takeSignals, logger }: FailingParts): Promise<boolean> => {
  const due = await dueAgain(pool, MOST_SIGNALS);
  if (due.length === 0) return false;
  const answers = await takeSignals(
    due.map(({ payload }): unknown => JSON.parse(payload)),
    'engine',
  );
  const isDone = (nth: number): boolean => answers[nth] !== undefined && !isUnhandled(answers[nth]);
  const done = due.filter((_, nth) => isDone(nth));
  const failed = due.filter((_, nth) => !isDone(nth));
  await forgetFailing(
    pool,
    done.map(({ id }) => id),
  );
  if (done.length > 0) logger.info({ signals: done.length }, 'signals that had failed are handled');
  if (failed.length === 0) return due.length === MOST_SIGNALS;
  await stepBack(
    pool,
    failed.map(({ id }) => id),
  );
  logger.error(
    { alert: 'signals_failing', signals: failed.length, first: failed[0]?.signal_id },
    'signals fail again at a fault of this service: they are handed in again later',
  );
  return false;
};

/** Hands in again what the bus brought and a fault of ours kept from being handled, until it is handled. */
export const startFailingSignals = (parts: FailingParts): Repeated =>
  repeat({
    pollMs: parts.pollMs ?? 1_000,
    work: () => handInAgain(parts),
    onError: (error) => parts.logger.warn({ err: error }, 'signals that failed cannot be handed in again now'),
  });
