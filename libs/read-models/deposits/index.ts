/** What is read of deposits: the projection that writes their rows, and the queries over them. */
export type { KnownDeposit } from './by-id.ts';
export { type DepositReads, type DepositReadsOptions, type Listed, openDepositReads } from './deposit-reads.ts';
export { depositsProjection } from './projection.ts';
export { readModelProjections } from './projections.ts';
export type { DepositList, DepositListQuery } from './queries/list.ts';
export type { DepositFilters, DepositPage } from './queries/page.ts';
export { type PageCursor, readPageCursor } from './queries/page-cursor.ts';
export type { Settlement, Settlements } from './queries/settlements.ts';
export type { DepositObject } from './rows/view-of-row.ts';
