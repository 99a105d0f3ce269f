import type { KeptSignal, QueuedReturn, ReturnFilters, SignalFilters, Simulate, TakeSignals } from '#engine';
import type { Paged } from '#platform/postgres';

/** Names under which the modules get what the apps compose. */
export const TAKE_SIGNALS = Symbol('take signals');
export const LIST_SIGNALS = Symbol('list signals');
export const LIST_RETURNS = Symbol('list returns');
export const SIMULATE = Symbol('simulate');

export type ListSignals = (filters: SignalFilters) => Promise<Paged<KeptSignal>>;
export type ListReturns = (filters: ReturnFilters) => Promise<Paged<QueuedReturn>>;

export type EngineRoutes = {
  readonly takeSignals: TakeSignals;
  readonly listSignals: ListSignals;
  readonly listReturns: ListReturns;
  /** null unless ENGINE=simulated. */
  readonly simulate: Simulate | null;
};
