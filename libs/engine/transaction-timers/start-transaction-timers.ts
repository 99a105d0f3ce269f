import type pg from 'pg';
import type { EngineSignal } from '#deposits';
import type { EventLog } from '#event-log';
import { type ApplyTransactionSignals, loadTransaction } from '#legacy-commands';
import { decideTransactionSignal } from '#legacy-transactions';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';
import { inParallel } from '../in-parallel.ts';
import { claimDueTransactions, type DueTransaction, forgetOldTransactionClaims } from './claim-due.ts';

export type TransactionTimerParts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'read'>;
  readonly applyToTransaction: ApplyTransactionSignals;
  readonly logger: Logger;
  readonly now?: () => Date;
  /** Default 500 ms: how late a timer may ring. */
  readonly everyMs?: number;
};

const BATCH = 100;
const AT_ONCE = 8;
const TIDY_EVERY_MS = 60_000;

/** The id says which waiting it ends: whoever rings again says the same, and the transaction knows it. */
const signalOf = ({ transactionId, dueAt, armedBy }: DueTransaction, now: Date): EngineSignal => ({
  type: 'quote.expired',
  signalId: `timer-transaction-${transactionId}-${armedBy}`,
  at: dueAt.toISOString(),
  now: now.toISOString(),
});

/** "15 minutes of waiting." Timers are rows, so a restart forgets none; instances share them out. */
export const startTransactionTimers = (parts: TransactionTimerParts): Repeated => {
  const { pool, log, applyToTransaction, logger, now = () => new Date(), everyMs = 500 } = parts;
  let tidyAfter = 0;

  const ring = async (due: DueTransaction): Promise<void> => {
    const { transactionId } = due;
    const tell = (error?: unknown): void =>
      logger.warn({ err: error, transaction_id: transactionId }, 'a transaction could not be timed out yet');
    try {
      const signal = signalOf(due, now());
      // The rows may be behind the log: the transaction itself says whether it still waits.
      const { state } = await loadTransaction(log, transactionId);
      if (decideTransactionSignal(state, signal).outcome !== 'applied') return;
      const [result] = await applyToTransaction(transactionId, [signal], 'engine');
      if (result?.outcome === 'busy') tell();
    } catch (error) {
      tell(error);
    }
  };

  const tidy = async (): Promise<void> => {
    if (Date.now() < tidyAfter) return;
    tidyAfter = Date.now() + TIDY_EVERY_MS;
    await forgetOldTransactionClaims(pool);
  };

  return repeat({
    pollMs: everyMs,
    onError: (error) => logger.warn({ err: error }, 'transactions cannot be timed out now'),
    work: async () => {
      await tidy();
      const due = await claimDueTransactions(pool, now(), BATCH);
      await inParallel(due, AT_ONCE, ring);
      return due.length === BATCH;
    },
  });
};
