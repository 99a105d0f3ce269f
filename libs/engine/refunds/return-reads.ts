import type { Paged } from '#platform/postgres';
import { createFreshness, type Freshness, type FreshnessParts, type Listed } from '#read-models';
import { listReturns, type QueuedReturn, type ReturnFilters } from './list-returns.ts';
import { returnsProjection } from './returns-projection.ts';

export type ReturnReads = Pick<Freshness, 'isUpToDate' | 'movedAt'> & {
  /** Newest first. Whoever pays by it must never find a return that was sent or is held: `stale` is for looking. */
  readonly page: (filters: ReturnFilters & { readonly stale?: boolean }) => Promise<Listed<Paged<QueuedReturn>>>;
};

export const openReturnReads = (parts: FreshnessParts): ReturnReads => {
  const { fresh, isUpToDate, movedAt } = createFreshness({ ...parts, projection: returnsProjection });
  return {
    page: ({ stale, ...filters }) => fresh(() => listReturns(parts.pool, filters), stale),
    isUpToDate,
    movedAt,
  };
};
