import { type ApplySignals, loadDeposit } from '#deposit-commands';
import { type Deposit, decideSignal } from '#deposits';
import type { Repeated } from '#platform/repeat';
import type { Due, TimerTables } from './claims.ts';
import { ringDue, type TimerParts } from './ring-due.ts';
import type { TimerKind } from './timers-projection.ts';

type Timer = { readonly depositId: number; readonly kind: TimerKind };

const tables: TimerTables<Timer> = {
  ...{ timers: 'timers', claims: 'timer_claims' },
  key: { depositId: 'deposit_id', kind: 'kind' },
};

const types = { expiry: 'quote.expired', ofac_deadline: 'ofac.deadline_missed' } as const;

/** A deadline that was moved is not missed yet, however pending its answer is. */
const isThatDeadline = ({ standing }: Deposit, { kind, dueAt }: Due<Timer>): boolean =>
  kind !== 'ofac_deadline' || standing.ofacDeadlineAt === dueAt.toISOString();

/** Tells deposits that their time is up. */
export const startTimers = (parts: TimerParts & { readonly applySignals: ApplySignals }): Repeated =>
  ringDue(parts, {
    tables,
    typeOf: ({ kind }) => types[kind],
    idOf: ({ kind, depositId, armedBy }) => `${kind}-${depositId}-${armedBy}`,
    isDue: async (due, signal) => {
      const { state } = await loadDeposit(parts.log, due.depositId);
      return (
        state.stage === 'issued' && isThatDeadline(state, due) && decideSignal(state, signal).outcome === 'applied'
      );
    },
    apply: ({ depositId }, signals) => parts.applySignals(depositId, signals, 'engine'),
  });
