import type { ReturnFilters, ReturnPage, SignalFilters, SignalPage, Simulate, TakeSignals } from '#engine';

/** Names under which the modules get what the apps compose. */
export const TAKE_SIGNALS = Symbol('take signals');
export const LIST_SIGNALS = Symbol('list signals');
export const LIST_RETURNS = Symbol('list returns');
export const SIMULATE = Symbol('simulate');

export type ListSignals = (filters: SignalFilters) => Promise<SignalPage>;
export type ListReturns = (filters: ReturnFilters) => Promise<ReturnPage>;

export type EngineRoutes = {
  readonly takeSignals: TakeSignals;
  readonly listSignals: ListSignals;
  readonly listReturns: ListReturns;
  /** null unless ENGINE=simulated. */
  readonly simulate: Simulate | null;
};
