/** Follows chains on nodes that the operator runs, and tells the engine what happens there to payments. */
import { migrationsBeside } from '#platform/migrations';

export { type Confirmations, KEPT_BLOCKS, type WatchedChain } from './chain.ts';
export { type ChainReport, chainReports, type NodeReport } from './report.ts';
export { askRescan } from './rows/rescans.ts';
export type { TakeSignals } from './send.ts';
export { type StartWatch, startWatch, type Watching } from './start-watch.ts';
export { createWatch, type WatchTurn } from './watch-chain.ts';

export const migrations = migrationsBeside(import.meta.url, 'watch');
