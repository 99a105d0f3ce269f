import type { Simulate, TakeSignals } from '#engine';

/** Names under which the modules get what the app composes. */
export const TAKE_SIGNALS = Symbol('take signals');
export const SIMULATE = Symbol('simulate');

export type EngineRoutes = {
  readonly takeSignals: TakeSignals;
  /** null unless ENGINE=simulated. */
  readonly simulate: Simulate | null;
};
