import type { KeptSignal, QueuedReturn, ReturnFilters, SignalFilters } from '#engine';
import type { Paged } from '#platform/postgres';

/** Names under which the controllers get what the app composes. */
export const LIST_SIGNALS = Symbol('list signals');
export const LIST_RETURNS = Symbol('list returns');

export type ListSignals = (filters: SignalFilters) => Promise<Paged<KeptSignal>>;
export type ListReturns = (filters: ReturnFilters) => Promise<Paged<QueuedReturn>>;
