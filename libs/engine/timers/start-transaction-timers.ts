import type { EngineSignal } from '#deposits';
import { type ApplyTransactionSignals, loadTransaction } from '#legacy-commands';
import { decideTransactionSignal } from '#legacy-transactions';
import type { Repeated } from '#platform/repeat';
import type { TimerTables } from './claims.ts';
import { ringDue, type TimerParts } from './ring-due.ts';

const tables: TimerTables<{ readonly transactionId: number }> = {
  ...{ timers: 'transaction_timers', claims: 'transaction_timer_claims' },
  key: { transactionId: 'transaction_id' },
};

type Parts = TimerParts & { readonly applyToTransaction: ApplyTransactionSignals };

/** "15 minutes of waiting." */
export const startTransactionTimers = (parts: Parts): Repeated =>
  ringDue(parts, {
    tables,
    typeOf: () => 'quote.expired',
    idOf: ({ transactionId, armedBy }) => `transaction-${transactionId}-${armedBy}`,
    waitsFor: async ({ transactionId }) => {
      const { state } = await loadTransaction(parts.log, transactionId);
      if (state.stage === 'none') return undefined;
      const changes = (signal: EngineSignal) => decideTransactionSignal(state, signal).outcome === 'applied';
      const { timesOutAt } = state.terms;
      return { at: timesOutAt, until: timesOutAt, changes };
    },
    apply: ({ transactionId }, signals) => parts.applyToTransaction(transactionId, signals, 'engine'),
  });
