/** Follows chains on nodes that the operator runs, and tells the engine what happens there to payments. */
import { migrationsBeside } from '#platform/migrations';

export type { WatchedChain } from './chain.ts';
export type { Owner } from './parts.ts';
export { type ChainReport, chainReports } from './report.ts';
export { askRescan, type RescanReport, rescanReports, takeBackRescan } from './rows/rescans.ts';
export { WATCHER } from './send.ts';
export type { RawSignal } from './signals.ts';
export { startWatch } from './start-watch.ts';
export { tellAsBefore } from './tell-as-before.ts';
export type { Fact, History, Said, ToldInLog } from './told/in-log.ts';

export const migrations = migrationsBeside(import.meta.url, 'watch');
