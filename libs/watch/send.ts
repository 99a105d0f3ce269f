import type pg from 'pg';
import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';
import { deal, forget, stepBack, type Waiting } from './rows/outbox.ts';
import type { RawSignal } from './signals.ts';

type Answer = { readonly signal_id: string | null; readonly outcome: string; readonly detail: string | null };

/** The door that every engine reports at. */
export type TakeSignals = (signals: readonly unknown[], actor: string) => Promise<readonly Answer[]>;

export type SendParts = {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly chain: Ticker;
  readonly takeSignals: TakeSignals;
  /** An answer that asks for the same signal again. */
  readonly isFault: (answer: Answer) => boolean;
};

const AT_ONCE = 200;
/** Others wait no longer than it takes to handle so many. */
const OF_ONE = 25;
const ACTOR = 'the watcher of chains';

const idsOf = (those: readonly Waiting[]): readonly number[] => those.map(({ id }) => id);

/**
 * In the order of each deposit, at least once: what was answered is forgotten, what failed steps back. True when there
 * may be more.
 */
export const sendSignals = async ({ pool, logger, chain, takeSignals, isFault }: SendParts): Promise<boolean> => {
  const waiting = await deal(pool, chain, AT_ONCE, OF_ONE);
  if (waiting.length === 0) return false;
  const signals: readonly RawSignal[] = waiting.map(({ signal }) => signal);
  const answers = await takeSignals(signals, ACTOR);
  const isDone = (_: Waiting, nth: number): boolean => answers[nth] !== undefined && !isFault(answers[nth]);
  const done = waiting.filter(isDone);
  const failed = waiting.filter((each) => !done.includes(each));
  for (const answer of answers)
    if (answer.outcome === 'rejected' && !isFault(answer))
      logger.error({ alert: 'chain_signal_rejected', chain, ...answer }, 'what happened on chain was not taken');
  await forget(pool, idsOf(done));
  await stepBack(pool, idsOf(failed));
  if (failed.length > 0)
    logger.error(
      { alert: 'chain_signals_failing', chain, signals: failed.length, first: failed[0]?.signal },
      'signals of a chain could not be handled: they are sent again later, and others pass meanwhile',
    );
  return true;
};
