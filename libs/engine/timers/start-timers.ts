import { type ApplySignals, loadDeposit } from '#deposit-commands';
import { type Deposit, decideSignal, type Instant } from '#deposits';
import type { Repeated } from '#platform/repeat';
import type { TimerTables } from './claims.ts';
import { ringDue, type TimerParts } from './ring-due.ts';
import type { TimerKind } from './timers-projection.ts';

type Timer = { readonly depositId: number; readonly kind: TimerKind };

const tables: TimerTables<Timer> = {
  ...{ timers: 'timers', claims: 'timer_claims' },
  key: { depositId: 'deposit_id', kind: 'kind' },
};

const types = { expiry: 'quote.expired', ofac_deadline: 'ofac.deadline_missed' } as const;

const deadlineOf = ({ terms, standing }: Deposit, kind: TimerKind): Instant | null =>
  kind === 'expiry' ? terms.expiresAt : standing.ofacDeadlineAt;

/** Tells deposits that their time is up. */
export const startTimers = (parts: TimerParts & { readonly applySignals: ApplySignals }): Repeated =>
  ringDue(parts, {
    tables,
    typeOf: ({ kind }) => types[kind],
    idOf: ({ kind, depositId, armedBy }) => `${kind}-${depositId}-${armedBy}`,
    waitsFor: async ({ depositId, kind }) => {
      const { state } = await loadDeposit(parts.log, depositId);
      const until = state.stage === 'issued' ? deadlineOf(state, kind) : null;
      return until === null
        ? undefined
        : { until, changes: (signal) => decideSignal(state, signal).outcome === 'applied' };
    },
    apply: ({ depositId }, signals) => parts.applySignals(depositId, signals, 'engine'),
  });
