import type pg from 'pg';
import { type ApplySignals, loadDeposit } from '#deposit-commands';
import { type Deposit, decideSignal, type EngineSignal } from '#deposits';
import type { EventLog } from '#event-log';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';
import { inParallel } from '../in-parallel.ts';
import { claimDueTimers, type DueTimer, forgetOldClaims } from './claim-due.ts';

export type TimerParts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'read'>;
  readonly applySignals: ApplySignals;
  readonly logger: Logger;
  readonly now?: () => Date;
  /** Default 500 ms: how late a timer may ring. */
  readonly everyMs?: number;
};

const BATCH = 100;
const AT_ONCE = 8;
const TIDY_EVERY_MS = 60_000;

const typeOf = { expiry: 'quote.expired', ofac_deadline: 'ofac.deadline_missed' } as const;

/** The id says which waiting it ends: whoever rings the same timer again says the same, and the deposit knows it. */
const signalOf = ({ depositId, kind, dueAt, armedBy }: DueTimer, now: Date): EngineSignal => ({
  type: typeOf[kind],
  signalId: `timer-${kind}-${depositId}-${armedBy}`,
  at: dueAt.toISOString(),
  now: now.toISOString(),
});

/** A deadline that was moved is not missed yet, however pending its answer is. */
const isThatDeadline = ({ standing }: Deposit, { kind, dueAt }: DueTimer): boolean =>
  kind !== 'ofac_deadline' || standing.ofacDeadlineAt === dueAt.toISOString();

/** Tells deposits that their time is up. Timers are rows, so a restart forgets none; instances share them out. */
export const startTimers = (parts: TimerParts): Repeated => {
  const { pool, log, applySignals, logger, now = () => new Date(), everyMs = 500 } = parts;
  let tidyAfter = 0;

  /** The rows may be behind the log: the deposit itself says whether its time is up. */
  const isDue = async (timer: DueTimer, signal: EngineSignal): Promise<boolean> => {
    const { state } = await loadDeposit(log, timer.depositId);
    return (
      state.stage === 'issued' && isThatDeadline(state, timer) && decideSignal(state, signal).outcome === 'applied'
    );
  };

  const ring = async (timer: DueTimer): Promise<void> => {
    const tell = (error?: unknown): void =>
      logger.warn({ err: error, deposit_id: timer.depositId, timer: timer.kind }, 'a timer could not be rung yet');
    try {
      const signal = signalOf(timer, now());
      if (!(await isDue(timer, signal))) return;
      const [result] = await applySignals(timer.depositId, [signal], 'engine');
      if (result?.outcome === 'busy') tell();
    } catch (error) {
      tell(error);
    }
  };

  const tidy = async (): Promise<void> => {
    if (Date.now() < tidyAfter) return;
    tidyAfter = Date.now() + TIDY_EVERY_MS;
    await forgetOldClaims(pool);
  };

  return repeat({
    pollMs: everyMs,
    onError: (error) => logger.warn({ err: error }, 'timers cannot be rung now'),
    work: async () => {
      await tidy();
      const due = await claimDueTimers(pool, now(), BATCH);
      await inParallel(due, AT_ONCE, ring);
      return due.length === BATCH;
    },
  });
};
