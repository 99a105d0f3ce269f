import type { ApplySignals } from '#deposit-commands';
import { decideSignal } from '#deposits';
import type { Repeated } from '#platform/repeat';
import type { TimerTables } from './claims.ts';
import { loadDeadline, type TimeToScreen } from './deadlines.ts';
import { ringDue, type TimerParts } from './ring-due.ts';
import type { TimerKind } from './timers-projection.ts';

type Timer = { readonly depositId: number; readonly kind: TimerKind };

type Parts = TimerParts & { readonly applySignals: ApplySignals; readonly timeToScreen: TimeToScreen };

const tables: TimerTables<Timer> = {
  ...{ timers: 'timers', claims: 'timer_claims' },
  key: { depositId: 'deposit_id', kind: 'kind' },
};

const types = { expiry: 'quote.expired', ofac_deadline: 'ofac.deadline_missed' } as const;

/** Tells deposits that their time is up. */
export const startTimers = (parts: Parts): Repeated =>
  ringDue(parts, {
    tables,
    typeOf: ({ kind }) => types[kind],
    idOf: ({ kind, depositId, armedBy }) => `${kind}-${depositId}-${armedBy}`,
    waitsFor: async (due) => {
      const loaded = await loadDeadline(parts.log, due, parts.timeToScreen);
      return (
        loaded && {
          ...loaded.deadline,
          changes: (signal) => decideSignal(loaded.deposit, signal).outcome === 'applied',
        }
      );
    },
    apply: ({ depositId }, signals) => parts.applySignals(depositId, signals, 'engine'),
  });
