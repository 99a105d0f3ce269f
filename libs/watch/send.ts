import type pg from 'pg';
import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';
import { forget, oldest } from './rows/outbox.ts';
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
const ACTOR = 'the watcher of chains';

/** In order, at least once: what was answered is forgotten. True when there may be more. */
export const sendSignals = async ({ pool, logger, chain, takeSignals, isFault }: SendParts): Promise<boolean> => {
  const waiting = await oldest(pool, chain, AT_ONCE);
  if (waiting.length === 0) return false;
  const signals: readonly RawSignal[] = waiting.map(({ signal }) => signal);
  const answers = await takeSignals(signals, ACTOR);
  const faults = answers.filter(isFault).length;
  for (const answer of answers)
    if (answer.outcome === 'rejected')
      logger.error({ alert: 'chain_signal_rejected', chain, ...answer }, 'what happened on chain was not taken');
  await forget(
    pool,
    waiting.flatMap(({ id }, nth) => {
      const answer = answers[nth];
      return answer && !isFault(answer) ? [id] : [];
    }),
  );
  if (faults > 0) throw new Error(`${faults} signals of ${chain} could not be handled; they are sent again`);
  return waiting.length === AT_ONCE;
};
