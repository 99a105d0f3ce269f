import type { EngineSignal } from '#deposits';
import type { Position } from '#event-log';

export type AppliedSignal = {
  readonly signalId: string;
  readonly outcome: 'applied' | 'duplicate' | 'ignored' | 'rejected';
  readonly detail: string | null;
  /** Where its effect stands in the log; null when there is none. */
  readonly position: Position | null;
};

/** Signals of one deposit, in their order: the one way in which anything of the engine reaches a deposit. */
export type ApplySignals = (
  depositId: number,
  signals: readonly EngineSignal[],
  actor: string,
) => Promise<readonly AppliedSignal[]>;
