import type pg from 'pg';
import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';
import { inTransaction } from '#platform/postgres';
import { type Answer, isUntaken, retoldAmong } from './retell.ts';
import { deal, forget, overtaken, stepBack, tellInstead, type Waiting } from './rows/outbox.ts';
import type { RawSignal } from './signals.ts';

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
/** As whoever is told by it has it. */
export const WATCHER = 'the watcher of chains';

const idsOf = (those: readonly Waiting[]): readonly number[] => those.map(({ id }) => id);

/**
 * In the order of each deposit, at least once: what was answered is forgotten, or told in another way, what failed steps
 * back. True when there may be more.
 */
export const sendSignals = async ({ pool, logger, chain, takeSignals, isFault }: SendParts): Promise<boolean> => {
  const waiting = await deal(pool, chain, AT_ONCE, OF_ONE);
  if (waiting.length === 0) return false;
  const signals: readonly RawSignal[] = waiting.map(({ signal }) => signal);
  const answers = await takeSignals(signals, WATCHER);
  const done = waiting.flatMap((each, nth) => {
    const answer = answers[nth];
    return answer !== undefined && !isFault(answer) ? [{ ...each, answer }] : [];
  });
  const handled = new Set(idsOf(done));
  const failed = waiting.filter(({ id }) => !handled.has(id));
  for (const { answer } of done)
    if (answer.outcome === 'rejected')
      logger.error({ alert: 'chain_signal_rejected', chain, ...answer }, 'what happened on chain was not taken');
  await inTransaction(pool, async (db) => {
    const untaken = done.filter(({ answer }) => isUntaken(answer));
    const behind = untaken.length > 0 ? await overtaken(db, idsOf(untaken), idsOf(waiting)) : undefined;
    for (const retold of retoldAmong(done, behind)) await tellInstead(db, chain, retold);
    await forget(db, idsOf(done));
  });
  await stepBack(pool, idsOf(failed));
  if (failed.length > 0)
    logger.error(
      { alert: 'chain_signals_failing', chain, signals: failed.length, first: failed[0]?.signal },
      'signals of a chain could not be handled: they are sent again later, and others pass meanwhile',
    );
  return true;
};
