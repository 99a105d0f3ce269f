/** What is read of deposits: the projection that writes their rows, and the queries over them. */
export { type DepositReads, openDepositReads } from './deposit-reads.ts';
export { depositsProjection } from './projection.ts';
export { depositStreams, readModelProjections } from './projections.ts';

export type { DepositFilters } from './queries/page.ts';
export { readPageCursor } from './queries/page-cursor.ts';
export type { Settlement } from './queries/settlements.ts';
export type { Stat } from './queries/stats.ts';
export type { DepositObject } from './rows/view-of-row.ts';
